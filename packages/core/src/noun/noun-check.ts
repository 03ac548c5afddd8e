/** The checks of a noun. */
import { checkAll, checkAt } from '../declaration/collect.ts'
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkNameArray, checkOptionNames, formatValue } from '../declaration/known-option.ts'
import type { AnyField } from '../field/field.ts'
import { isKebabCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/singular.ts'
import { suggestedKebabCase } from '../naming/suggested-name.ts'
import { checkComputed } from './computed.ts'
import { checkNullState } from './field-check/choice-check.ts'
import { checkField, checkPropertyName } from './field-check/field-check.ts'
import { checkScopedFields } from './field-check/field-scope.ts'
import { checkHistory } from './history-option.ts'
import { type Fields, labelFields, type NounOptions } from './noun-option.ts'
import { checkColumns, checkStoredName } from './stored-name.ts'

export function checkNoun(name: string, fields: Fields, options: NounOptions): void {
  const subject = `noun "${name}"`
  if (typeof fields !== 'object' || fields === null)
    throw new DeclarationError(subject, 'it has no fields.', 'declare them, such as { id: identity(), name: text() }.')
  checkAll([
    () => checkName(subject, name, options),
    ...Object.entries(fields).map(
      ([property, field]) =>
        () =>
          checkStoredField(name, fields, property, field),
    ),
    () => checkIdentity(subject, identitiesOf(fields)),
    () => checkOneTenant(subject, fields),
    () => checkOptions(subject, fields, options),
    () => checkScopedFields(subject, fields, { label: labelFields(options), unique: options.unique ?? [] }),
    () => checkComputed(name, fields, options.computed ?? {}),
  ])
}

function checkStoredField(noun: string, fields: Fields, property: string, field: AnyField): void {
  const subject = `noun "${noun}"`
  if (field?.spec === undefined) {
    throw new DeclarationError(
      subject,
      `"${property}" must be a field, not ${formatValue(field)}.`,
      'declare it with a field type, such as text() or integer().',
    )
  }
  const { spec } = field
  checkAt(spec, () => checkPropertyName(subject, noun, property, spec))
  checkAt(spec, () => checkField(`${subject}, field "${property}"`, spec, fields))
  checkAt(spec, () => checkNullState(`${subject}, field "${property}"`, spec))
}

/** The names of the identity fields: one, if the noun is valid. */
export function identitiesOf(fields: Fields): readonly string[] {
  return Object.keys(fields ?? {}).filter((property) => fields[property]?.spec?.kind === 'identity')
}

function checkOneTenant(subject: string, fields: Fields): void {
  const tenants = Object.keys(fields).filter((property) => fields[property]?.spec?.managed === 'tenant')
  if (tenants.length > 1)
    throw new DeclarationError(
      subject,
      `it has ${tenants.length} tenant fields: ${tenants.join(', ')}.`,
      'keep one of them.',
    )
}

function checkIdentity(subject: string, identities: readonly string[]): void {
  if (identities.length === 1) return
  throw new DeclarationError(
    subject,
    identities.length === 0
      ? 'it has no identity (primary key).'
      : `it has ${identities.length} identities (primary keys): ${identities.join(', ')}.`,
    'declare exactly one identity, such as id: identity().',
  )
}

function checkName(subject: string, name: string, options: NounOptions): void {
  if (!isKebabCase(name)) {
    const kebab = suggestedKebabCase(name)
    const newName = kebab === undefined || options.isSingular ? kebab : (singularOf(kebab) ?? kebab)
    throw new DeclarationError(
      subject,
      'the name of a noun must be in lower kebab-case.',
      newName ? `rename it to "${newName}".` : 'use letters a to z, digits and single hyphens, such as "cost-center".',
    )
  }
  const singular = singularOf(name)
  if (singular && !options.isSingular) {
    throw new DeclarationError(
      subject,
      'the name looks like a plural; nouns must be singular.',
      `rename it to "${singular}", or add { isSingular: true } if it is not a plural.`,
    )
  }
}

function checkOptions(subject: string, fields: Fields, options: NounOptions): void {
  checkDescription(subject, options.description)
  checkOptionNames(subject, options, [
    'description',
    'label',
    'unique',
    'indexes',
    'isSingular',
    'computed',
    'history',
    'table',
  ])
  if (options.table !== undefined) checkStoredName(subject, 'table', options.table)
  if (options.history !== undefined) checkHistory(`${subject}, history`, options.history)
  checkColumns(subject, fields)
  checkNameArray(subject, 'label', labelFields(options))
  checkNameArray(subject, 'unique', options.unique, 2)
  checkNameArray(subject, 'indexes', options.indexes, 2)
  for (const set of options.unique ?? []) {
    if (set.length > 0 && new Set(set).size === set.length) continue
    throw new DeclarationError(
      subject,
      `the unique set [${set.join(', ')}] is empty or repeats a field.`,
      'list each field of the set once.',
    )
  }
  checkNamedFields(subject, fields, 'label', labelFields(options))
  checkNamedFields(subject, fields, 'unique', (options.unique ?? []).flat())
  checkNamedFields(subject, fields, 'indexes', (options.indexes ?? []).flat())
  for (const index of options.indexes ?? []) checkIndex(subject, fields, index)
  const indexes = (options.indexes ?? []).map((index) => index.join(', '))
  const duplicate = indexes.find((index, position) => indexes.indexOf(index) !== position)
  if (duplicate !== undefined)
    throw new DeclarationError(subject, `the index [${duplicate}] is declared twice.`, 'remove one of them.')
}

function checkIndex(subject: string, fields: Fields, index: readonly string[]): void {
  const fail = (mistake: string, fix: string) => {
    throw new DeclarationError(subject, `the index [${index.join(', ')}] ${mistake}`, fix)
  }
  if (index.length < 2) fail('has fewer than two fields.', 'use indexed() for an index of one field.')
  if (new Set(index).size < index.length) fail('repeats a field.', 'list each field of the index once.')
  const specs = index.map((name) => [name, fields[name]?.spec] as const)
  // Long strings are indexed by their first characters, and conditions must be written for that.
  const unindexedText = specs.find(
    ([, spec]) => (spec?.kind === 'text' || spec?.kind === 'url') && !spec.indexed && !spec.unique,
  )
  if (unindexedText)
    fail(
      `contains the field "${unindexedText[0]}", which is neither indexed() nor unique().`,
      `declare "${unindexedText[0]}" with indexed().`,
    )
  const identity = specs.find(([, spec]) => spec?.kind === 'identity')
  if (identity)
    fail(`contains the identity "${identity[0]}", which Nomen adds to this index.`, `remove "${identity[0]}".`)
}

function checkNamedFields(
  subject: string,
  fields: Fields,
  option: 'label' | 'unique' | 'indexes',
  names: readonly string[],
): void {
  const unknownField = names.find((name) => !Object.hasOwn(fields, name))
  if (unknownField === undefined) return
  throw new DeclarationError(
    subject,
    `${option} refers to the field "${unknownField}", which does not exist.`,
    `use one of ${Object.keys(fields).join(', ')}.`,
  )
}
