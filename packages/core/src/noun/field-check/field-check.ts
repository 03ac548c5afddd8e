/** Checks of a single field of a noun. */
import { checkDescription } from '../../declaration/description.ts'
import { DeclarationError } from '../../declaration/error.ts'
import { checkOneOf } from '../../declaration/known-option.ts'
import { collations } from '../../field/collation.ts'
import type { FieldSpec } from '../../field/field.ts'
import { camelCase, isCamelCase } from '../../naming/kebab-case.ts'
import { suggestedCamelCase } from '../../naming/suggested-name.ts'
import { checkCanonicalValue } from '../canonical-value.ts'
import type { Fields } from '../noun-option.ts'
import { checkChoice } from './choice-check.ts'
import { checkFieldOptions } from './field-option.ts'
import { checkFieldScope } from './field-scope.ts'
import { checkDecimal, checkLimits, checkPattern } from './limit-check.ts'

/** Query parameters that lists can have; properties cannot use these names. */
export const reservedParameters = ['pageNumber', 'pageSize', 'include', 'sort', 'search']

/** Checks the name of a field in a noun, or of a property in a resource. */
export function checkPropertyName(subject: string, noun: string, property: string, spec: FieldSpec): void {
  if (!isCamelCase(property)) {
    const newName = suggestedCamelCase(property)
    throw new DeclarationError(
      subject,
      `the property name "${property}" must be in camelCase.`,
      newName ? `rename it to "${newName}".` : 'use ASCII letters and digits, such as "firstName".',
    )
  }
  if (property in Object.prototype) {
    throw new DeclarationError(
      subject,
      `the property name "${property}" is reserved: every JavaScript object has a member of this name.`,
      'use another name.',
    )
  }
  if (reservedParameters.includes(property)) {
    throw new DeclarationError(
      subject,
      `the property name "${property}" is reserved: lists have a query parameter of this name.`,
      `use a name other than ${reservedParameters.join(', ')}.`,
    )
  }
  const prefix = camelCase(noun)
  const rest = property.startsWith(prefix) ? property.slice(prefix.length) : ''
  const isIdentifier = rest === 'Ref' && (spec.kind === 'identity' || spec.kind === 'reference')
  if (/^[A-Z0-9]/.test(rest) && !isIdentifier) {
    const shortName = rest.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase())
    throw new DeclarationError(
      subject,
      `the property "${property}" repeats the name of the noun.`,
      /^[a-z]/.test(shortName) ? `rename it to "${shortName}".` : `remove "${prefix}" from the property name.`,
    )
  }
}

/** Checks the options and modifiers of a field: unknown options, contradictory limits, invalid defaults. */
export function checkField(subject: string, spec: FieldSpec, fields: Fields): void {
  const fail = (mistake: string, fix: string) => {
    throw new DeclarationError(subject, mistake, fix)
  }
  checkFieldOptions(subject, spec)
  checkModifiers(spec, fail)
  if (spec.indexed !== undefined) checkIndexed(subject, spec)
  if (spec.scope !== undefined) checkFieldScope(subject, spec)
  if (spec.kind === 'choice') checkChoice(subject, spec)
  if (spec.kind === 'decimal') checkDecimal(subject, spec)
  checkLimits(subject, spec)
  checkPattern(subject, spec)
  if (spec.sort !== undefined) checkOneOf(subject, 'sort', spec.sort, collations)
  if (spec.search !== undefined) checkOneOf(subject, 'search', spec.search, ['accent-insensitive'])
  if (spec.default !== undefined && spec.kind !== 'reference')
    checkCanonicalValue(subject, 'default', spec, spec.default)
  checkDescriptions(subject, spec)
  if (spec.defaultFrom !== undefined) checkDefaultFrom(subject, spec, spec.defaultFrom, fields)
  // Report a cycle once, at its first field.
  if (Object.values(fields).find((field) => isCircular(field?.spec, fields))?.spec === spec) {
    fail(
      'its defaultFrom() is circular: it leads back to the field itself.',
      'replace the defaultFrom() of one field of the cycle by default().',
    )
  }
}

/** Checks that the modifiers apply to the field type and to each other. */
function checkModifiers(spec: FieldSpec, fail: (mistake: string, fix: string) => void): void {
  const declaresDefault = spec.default !== undefined || spec.defaultFrom !== undefined
  if ('default' in spec && spec.default === undefined)
    fail('the default must not be undefined.', 'pass a value to default(), or remove it.')
  if (spec.kind === 'identity' && (spec.nullable || declaresDefault))
    fail('an identity cannot be null or have a default: the server assigns it.', 'remove nullable() and default().')
  if (spec.clearedOnDelete && spec.kind !== 'reference')
    fail('clearedOnDelete() is only for references.', 'remove clearedOnDelete().')
  if (spec.clearedOnDelete && !spec.nullable)
    fail('clearedOnDelete() is only for nullable references.', 'add nullable() before clearedOnDelete().')
  if (spec.writeOnce && spec.managed !== undefined)
    fail('writeOnce() is not allowed on a managed field: clients cannot set it.', 'remove writeOnce().')
  if (spec.writeOnce && spec.transitions)
    fail(
      'a writeOnce() field cannot have transitions.',
      "remove writeOnce(), or list the values only: choice('OPEN', 'DONE').",
    )
  if (spec.databaseDefault && spec.managed !== undefined && spec.managed !== 'service')
    fail('databaseDefault() is not allowed here: the server sets the value of this field.', 'remove databaseDefault().')
  if (spec.databaseDefault && (spec.managed || declaresDefault))
    fail(
      'databaseDefault() cannot be combined with default(), defaultFrom() or managed().',
      'remove databaseDefault() or the other one.',
    )
}

/** Checks that `indexed()` and `unindexed()` change something. The unique index of an email has its value in lower case, so it cannot serve sorting. */
function checkIndexed(subject: string, { kind, unique, indexed }: FieldSpec): void {
  const canBeUnindexed = kind === 'choice' || kind === 'boolean'
  if (indexed === false && !(canBeUnindexed && !unique))
    throw new DeclarationError(
      subject,
      'unindexed() is not allowed here: it is only for choice and boolean fields that are not unique.',
      'remove unindexed().',
    )
  if (indexed && (kind === 'identity' || kind === 'reference' || canBeUnindexed || (unique && kind !== 'email')))
    throw new DeclarationError(
      subject,
      'indexed() is not needed: this field has an index by default.',
      'remove indexed().',
    )
}

/** Checks that value descriptions name values of the field, and that an example is valid. */
function checkDescriptions(subject: string, spec: FieldSpec): void {
  checkDescription(subject, spec.description)
  const { choices = [], valueDescriptions = {} } = spec
  for (const [value, text] of Object.entries(valueDescriptions)) {
    if (!choices.includes(value)) {
      throw new DeclarationError(
        subject,
        `description() has a text for the value "${value}", which the field does not have.`,
        choices.length === 0
          ? 'remove the value descriptions: only a choice has them.'
          : `use one of ${choices.join(', ')}.`,
      )
    }
    checkDescription(`${subject}, value "${value}"`, text)
  }
  if (!('example' in spec)) return
  if (spec.kind === 'reference')
    throw new DeclarationError(
      subject,
      'a reference cannot have an example: the OpenAPI document uses an ID as the example.',
      'remove example().',
    )
  checkCanonicalValue(subject, 'example', spec, spec.example ?? null)
}

/** Whether the chain of defaultFrom() from a field leads back to it. */
function isCircular(start: FieldSpec | undefined, fields: Fields): boolean {
  const visited = new Set<FieldSpec | undefined>()
  const sourceOf = (spec: FieldSpec | undefined) =>
    spec?.defaultFrom === undefined ? undefined : fields[spec.defaultFrom]?.spec
  let spec = sourceOf(start)
  while (spec !== undefined && spec !== start && !visited.has(spec)) {
    visited.add(spec)
    spec = sourceOf(spec)
  }
  return spec !== undefined && spec === start
}

function checkDefaultFrom(subject: string, spec: FieldSpec, name: string, fields: Fields): void {
  const source = Object.hasOwn(fields, name) ? fields[name]?.spec : undefined
  if (!source) {
    throw new DeclarationError(
      subject,
      `defaultFrom() refers to the field "${name}", which does not exist.`,
      `use one of ${Object.keys(fields).join(', ')}.`,
    )
  }
  if (source.databaseDefault) {
    throw new DeclarationError(
      subject,
      `defaultFrom() refers to "${name}", whose default only the database knows.`,
      `use another field, or give "${name}" a default() instead of databaseDefault().`,
    )
  }
  if (acceptsValuesOf(spec, source)) return
  throw new DeclarationError(
    subject,
    `defaultFrom() refers to "${name}", whose type and limits do not guarantee a valid value for this field.`,
    source.nullable && !spec.nullable
      ? `add nullable() to this field, because "${name}" can be null.`
      : 'use a field with the same type and limits; a text field without limits and pattern may also use an email, url, guid or choice field.',
  )
}

/** Whether every value of the source is valid for the field. */
function acceptsValuesOf(spec: FieldSpec, source: FieldSpec): boolean {
  const isTextFromString = spec.kind === 'text' && ['text', 'email', 'url', 'guid', 'choice'].includes(source.kind)
  const limits = ['kind', 'min', 'max', 'scale', 'precision'] as const
  if (!isTextFromString && limits.some((limit) => spec[limit] !== source[limit])) return false
  if (spec.kind === 'choice' && source.choices?.some((value) => !spec.choices?.includes(value))) return false
  if ((spec.maxLength ?? Number.POSITIVE_INFINITY) < (source.maxLength ?? Number.POSITIVE_INFINITY)) return false
  if ((spec.minLength ?? 0) > (source.minLength ?? 0)) return false
  if (spec.pattern !== undefined && spec.pattern.source !== source.pattern?.source) return false
  return spec.nullable === true || source.nullable !== true
}
