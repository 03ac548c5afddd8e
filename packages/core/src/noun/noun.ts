/** Nouns: the record types (entities) of a service, with their fields. */

import { checkAll, checkAt, declare } from '../declaration/collect.ts'
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkKnown, show } from '../declaration/known-option.ts'
import type { AnyField, FieldSpec } from '../field/field.ts'
import { isKebabCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/plural.ts'
import { checkField, checkNullState, checkPropertyName } from './check.ts'
import { checkComputed, computedSpec, type NounMistake } from './computed.ts'
import { checkScopedFields } from './field-scope.ts'
import { checkHistory, type HistoryOptions } from './history-option.ts'
import { checkColumns, checkStoredName } from './stored-name.ts'

/** Fields by name. */
export interface Fields {
  readonly [name: string]: AnyField
}

/** Options of a noun. `Name` are the names of its fields. */
export interface NounOptions<Name extends string = string> {
  /** Describes one record, for the OpenAPI document and the console: `description: 'A book lent to a member.'`. */
  readonly description?: string
  /**
   * The display name of a record: one field, or several that are joined by a space, `label: ['firstName', 'lastName']`.
   * Lists show it in place of a reference's ID, and the console uses it as the title of a record.
   *
   * @default none: references are shown by ID
   */
  readonly label?: Name | readonly Name[]
  /** Composite unique constraints, each a set of fields: `unique: [['user', 'type']]`. */
  readonly unique?: readonly (readonly Name[])[]
  /**
   * Allows a name that looks plural but is singular, such as `news` or `glasses`: `isSingular: true`.
   *
   * @default false: a name that looks plural is an error
   */
  readonly isSingular?: true
  /**
   * Computed (derived) fields, which are returned but not stored: `computed: { fullName: text() }`. The service file
   * implements them with `compute` of `@nomen/server`.
   */
  readonly computed?: Fields
  /**
   * Adds an entry to the noun `change` (audit log) for each change to a record, with the values before and after:
   * `history: true`, or `history: { days: 365 }` to delete older entries.
   *
   * @default false
   */
  readonly history?: true | HistoryOptions
  /**
   * The name of the database table: `table: 'users'`.
   *
   * @default the noun's name
   */
  readonly table?: string
}

/** A noun (entity, model): a record type with its fields, as `noun()` returns it. */
export interface Noun<Name extends string, Declared extends Fields, Options extends NounOptions> {
  readonly name: Name
  readonly fields: Declared
  readonly options: Options
  /** The name of the identity (primary key) field. */
  readonly identity: string
}

/** Any noun, whatever its fields. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would not accept every noun
export type AnyNoun = Noun<string, any, NounOptions>

/**
 * Declares a noun (entity, model, resource type): a kind of record with its fields. The name is singular and in lower
 * kebab-case, such as `cost-center`; it becomes the table and the path segment.
 *
 * @example
 * ```ts
 * export const department = noun(
 *   'department',
 *   { id: identity(), name: text({ maxLength: 80 }), retired: boolean().default(false) },
 *   { label: 'name' },
 * )
 * ```
 *
 * @throws DeclarationError if the name, a field or an option is invalid
 */
export function noun<
  const Name extends string,
  Declared extends Fields,
  const Options extends NounOptions<keyof Declared & string> = Record<never, never>,
>(name: Name, fields: Declared, options?: Options & NounMistake<Declared, Options>): Noun<Name, Declared, Options> {
  const identity = identitiesOf(fields)[0] ?? ''
  const declaration = { name, fields, options: (options ?? {}) as Options, identity }
  return declare(declaration, [], () => checkNoun(declaration))
}

function checkNoun({ name, fields, options }: AnyNoun): void {
  const subject = `noun "${name}"`
  checkAll([
    () => checkName(subject, name, options),
    ...Object.entries(fields as Fields).map(
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
      `"${property}" must be a field, not ${show(field)}.`,
      'declare it with a field type, such as text() or integer().',
    )
  }
  const { spec } = field
  checkAt(spec, () => checkPropertyName(subject, noun, property, spec))
  checkAt(spec, () => checkField(`${subject}, field "${property}"`, spec, fields))
  checkAt(spec, () => checkNullState(`${subject}, field "${property}"`, spec))
}

function identitiesOf(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((property) => fields[property]?.spec?.kind === 'identity')
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
    throw new DeclarationError(
      subject,
      'the name of a noun must be in lower kebab-case.',
      'use letters a to z, digits and single hyphens, such as "cost-center".',
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
  checkKnown(subject, options, ['description', 'label', 'unique', 'isSingular', 'computed', 'history', 'table'])
  if (options.table !== undefined) checkStoredName(subject, 'table', options.table)
  if (options.history !== undefined) checkHistory(`${subject}, history`, options.history)
  checkColumns(subject, fields)
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
}

function checkNamedFields(subject: string, fields: Fields, option: 'label' | 'unique', names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(fields, name))
  if (unknown === undefined) return
  throw new DeclarationError(
    subject,
    `${option} refers to the field "${unknown}", which does not exist.`,
    `use one of ${Object.keys(fields).join(', ')}.`,
  )
}

/**
 * Returns the fields of a noun's label (display name), in order; an empty array if the noun has no label.
 *
 * @example
 * ```ts
 * labelFields({ label: ['firstName', 'lastName'] }) // ['firstName', 'lastName']
 * ```
 */
export function labelFields(options: NounOptions): readonly string[] {
  const { label } = options
  return label === undefined ? [] : typeof label === 'string' ? [label] : label
}

/** The specs of all fields of a noun, stored and computed. */
export function declaredSpecs(noun: AnyNoun): ReadonlyMap<string, FieldSpec> {
  const specs = new Map<string, FieldSpec>()
  for (const [name, { spec }] of Object.entries(noun.fields as Fields)) specs.set(name, spec)
  for (const [name, { spec }] of Object.entries(noun.options.computed ?? {})) specs.set(name, computedSpec(spec))
  return specs
}

/**
 * Returns the spec (plain data) of one field. For a reference to a noun with a GUID, the spec has `guid: true`.
 *
 * @example
 * ```ts
 * specOf(user, 'email') // { kind: 'email', maxLength: 254, unique: true }
 * ```
 */
export function specOf(noun: AnyNoun, field: string): FieldSpec {
  const computed = noun.options.computed?.[field]
  if (computed) return computedSpec(computed.spec)
  const { spec } = noun.fields[field] as AnyField
  if (spec.kind !== 'reference') return spec
  const target = targetOf(noun, field)
  return target.fields[target.identity].spec.guid ? { ...spec, guid: true } : spec
}

/**
 * Returns the noun that a reference (foreign key) refers to.
 *
 * @example
 * ```ts
 * targetOf(user, 'department') === department // true
 * ```
 *
 * @throws DeclarationError if the reference does not name a noun
 */
export function targetOf(noun: AnyNoun, field: string): AnyNoun {
  const { target } = (noun.fields[field] as AnyField).spec
  const referenced: unknown = typeof target === 'function' ? target() : target
  if (typeof referenced !== 'object' || referenced === null || !('fields' in referenced)) {
    throw new DeclarationError(
      `noun "${noun.name}", field "${field}"`,
      `the target of the reference must be a noun, not ${show(referenced)}.`,
      'pass a function that returns a noun: reference(() => department).',
    )
  }
  return referenced as AnyNoun
}

/**
 * Returns the name of the tenant field of a noun; undefined if all tenants share its records.
 *
 * @example
 * ```ts
 * tenantField(note) // 'tenant'
 * ```
 */
export function tenantField(noun: AnyNoun): string | undefined {
  return Object.keys(noun.fields).find((name) => noun.fields[name].spec.managed === 'tenant')
}
