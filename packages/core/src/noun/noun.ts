/** A noun: the stored record, its name and its fields. */

import { DeclarationError } from '../declaration/error.ts'
import { checkKnown } from '../declaration/known-option.ts'
import type { AnyField, Field, FieldSpec, Reference } from '../field/field.ts'
import { isKebabCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/plural.ts'
import { checkField, checkNullState, checkPropertyName } from './check.ts'
import { checkComputed, computedSpec, type NounMistake } from './computed.ts'
import { checkColumns, checkStoredName } from './stored-name.ts'

export interface Fields {
  readonly [name: string]: AnyField
}

export interface NounOptions<Name extends string = string> {
  /**
   * The field, or fields joined by a space, that a person knows a record by, `label: ['firstName', 'lastName']`: what a list
   * shows for a reference.
   */
  readonly label?: Name | readonly Name[]
  /** Sets of fields whose values, taken together, no two records share: `unique: [['user', 'type']]`. */
  readonly unique?: readonly (readonly Name[])[]
  /** The name only looks like a plural (`news`, `glasses`): `isSingular: true`. */
  readonly isSingular?: true
  /**
   * What is shown beside the fields and never stored; the service file says how it comes about, by `compute`:
   * `computed: { fullName: text() }`.
   */
  readonly computed?: Fields
  /** What a database calls the table of the records, where that is not the noun's own name: `table: 'users'`. */
  readonly table?: string
}

export interface Noun<Name extends string, Declared extends Fields, Options extends NounOptions> {
  readonly name: Name
  readonly fields: Declared
  readonly options: Options
  readonly identity: string
}

// biome-ignore lint/suspicious/noExplicitAny: stands for every noun, whatever its fields
export type AnyNoun = Noun<string, any, NounOptions>

/**
 * Declares a noun.
 *
 * ```ts
 * export const department = noun('department', { id: identity(), name: text(), retired: boolean().default(false) }, { label: 'name' })
 * ```
 */
export function noun<
  const Name extends string,
  Declared extends Fields,
  const Options extends NounOptions<keyof Declared & string> = Record<never, never>,
>(name: Name, fields: Declared, options?: Options & NounMistake<Declared, Options>): Noun<Name, Declared, Options> {
  const subject = `noun "${name}"`
  const given: NounOptions = options ?? {}
  checkName(subject, name, given)
  for (const [property, field] of Object.entries(fields)) {
    if (field?.spec === undefined) {
      throw new DeclarationError(
        subject,
        `"${property}" is no field.`,
        'declare it by its kind, such as text() or integer().',
      )
    }
    const { spec } = field
    checkPropertyName(subject, name, property, spec)
    checkField(`${subject}, field "${property}"`, spec, fields)
    checkNullState(`${subject}, field "${property}"`, spec)
  }
  const identities = Object.keys(fields).filter((property) => fields[property]?.spec.kind === 'identity')
  const [identity] = identities
  if (identity === undefined || identities.length > 1) {
    throw new DeclarationError(
      subject,
      identities.length === 0 ? 'has no identity.' : `has ${identities.length} identities: ${identities.join(', ')}.`,
      'declare exactly one field as its identity, such as id: identity().',
    )
  }
  checkOptions(subject, fields, given)
  checkComputed(name, fields, given.computed ?? {})
  return { name, fields, options: (options ?? {}) as Options, identity }
}

function checkName(subject: string, name: string, options: NounOptions): void {
  if (!isKebabCase(name)) {
    throw new DeclarationError(
      subject,
      'a noun is named in lower kebab-case.',
      'use letters a to z, digits and single hyphens, such as "cost-center".',
    )
  }
  const singular = singularOf(name)
  if (singular && !options.isSingular) {
    throw new DeclarationError(
      subject,
      'a noun is singular (spec 2.6 rule 1), and this looks like a plural.',
      `name it "${singular}", or say { isSingular: true } where it is no plural.`,
    )
  }
}

function checkOptions(subject: string, fields: Fields, options: NounOptions): void {
  checkKnown(subject, options, ['label', 'unique', 'isSingular', 'computed', 'table'])
  if (options.table !== undefined) checkStoredName(subject, 'table', options.table)
  checkColumns(subject, fields)
  for (const set of options.unique ?? []) {
    if (set.length > 0 && new Set(set).size === set.length) continue
    throw new DeclarationError(subject, `a unique set of [${set.join(', ')}].`, 'name each field of the set once.')
  }
  const named = [...labelFields(options), ...(options.unique ?? []).flat()]
  for (const name of named) {
    if (!Object.hasOwn(fields, name)) {
      throw new DeclarationError(
        subject,
        `its options name the field "${name}", which it does not have.`,
        `use one of ${Object.keys(fields).join(', ')}.`,
      )
    }
  }
}

/**
 * The fields of a noun's label, in their order; none where it has no label.
 *
 * ```ts
 * labelFields({ label: ['firstName', 'lastName'] }) // ['firstName', 'lastName']
 * ```
 */
export function labelFields(options: NounOptions): readonly string[] {
  const { label } = options
  return label === undefined ? [] : typeof label === 'string' ? [label] : label
}

/** The plain data of all that can be shown of a noun, as it is declared: its fields, and what is computed of them. */
export function declaredSpecs(noun: AnyNoun): ReadonlyMap<string, FieldSpec> {
  const specs = new Map<string, FieldSpec>()
  for (const [name, { spec }] of Object.entries(noun.fields as Fields)) specs.set(name, spec)
  for (const [name, { spec }] of Object.entries(noun.options.computed ?? {})) specs.set(name, computedSpec(spec))
  return specs
}

/**
 * The plain data of one field; a reference knows here whether its target is told apart by a guid.
 *
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
 * The noun that a reference points at.
 *
 * ```ts
 * targetOf(user, 'department') === department // true
 * ```
 */
export function targetOf(noun: AnyNoun, field: string): AnyNoun {
  const { target } = (noun.fields[field] as AnyField).spec
  const found: unknown = typeof target === 'function' ? target() : target
  if (typeof found !== 'object' || found === null || !('fields' in found)) {
    throw new DeclarationError(
      `noun "${noun.name}", field "${field}"`,
      'the reference points at nothing.',
      'give a function that returns a noun: reference(() => department).',
    )
  }
  return found as AnyNoun
}

/** The type of one field's value. */
export type ValueOf<F> =
  F extends Field<infer Held, infer Traits>
    ? (Held extends () => infer Target ? IdentityOf<Target> : Held) | ('nullable' extends Traits ? null : never)
    : never

/** The type of a noun's identity: number, or string for a guid. */
export type IdentityOf<N> =
  N extends Noun<string, infer Declared, NounOptions>
    ? { [K in keyof Declared]: 'identity' extends TraitsOf<Declared[K]> ? ValueOf<Declared[K]> : never }[keyof Declared]
    : never

/** The traits of a field, as a union: 'nullable' | 'default' … */
export type TraitsOf<F> = F extends Field<unknown, infer Traits> ? Traits : never

/** The stored record of a noun: `type User = RecordOf<typeof user>`. */
export type RecordOf<N> =
  N extends Noun<string, infer Declared, NounOptions> ? { [K in keyof Declared]: ValueOf<Declared[K]> } : never

/** The names of a noun's fields. */
export type FieldName<N> = N extends Noun<string, infer Declared, NounOptions> ? keyof Declared & string : never

/** What is computed of a noun, by name. Nothing but the server sets it. */
export type ComputedOf<N> = N extends { readonly options: { readonly computed: infer Declared } }
  ? {
      [K in keyof Declared]: Declared[K] extends Field<infer Held, infer Traits>
        ? Field<Held, Traits | 'managed'>
        : never
    }
  : Record<never, never>

/** The names of what is computed of a noun. */
export type ComputedName<N> = keyof ComputedOf<N> & string

/** The type of what a list shows for a field: the label of a reference whose target has one, else the value. */
export type DisplayOf<F> =
  F extends Reference<infer Target, infer Traits>
    ? Target extends () => infer N
      ? N extends { readonly options: { readonly label: unknown } }
        ? string | ('nullable' extends Traits ? null : never)
        : ValueOf<F>
      : ValueOf<F>
    : ValueOf<F>
