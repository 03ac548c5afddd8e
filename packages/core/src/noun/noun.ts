/** Nouns: the record types (entities) of a service, with their fields. */
import { declare } from '../declaration/collect.ts'
import { DeclarationError } from '../declaration/error.ts'
import { formatValue } from '../declaration/known-option.ts'
import type { AnyField, FieldSpec } from '../field/field.ts'
import { computedSpec, type ValidNounOptions } from './computed.ts'
import { checkNoun, identitiesOf } from './noun-check.ts'
import type { Fields, NounOptions } from './noun-option.ts'

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
 * kebab-case, such as `cost-center`. It is also the name of the table, unless the noun has the
 * option `table`, and the path segment, unless the resource has the option `path`.
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
>(
  name: Name,
  fields: Declared,
  options?: Options & ValidNounOptions<Declared, Options>,
): Noun<Name, Declared, Options> {
  const identity = identitiesOf(fields)[0] ?? ''
  const declaration = { name, fields, options: (options ?? {}) as Options, identity }
  // A noun uses no other declaration yet: its references are functions, which are called later.
  return declare(declaration, [], () => checkNoun(name, fields, declaration.options))
}

/**
 * The specs, as declared, of all stored and computed fields of a noun. A declared reference does not say whether its target has
 * GUIDs: `specOf` adds that (`guid: true`).
 */
export function declaredSpecs(noun: AnyNoun): ReadonlyMap<string, FieldSpec> {
  const specs = new Map<string, FieldSpec>()
  for (const [name, { spec }] of Object.entries(noun.fields as Fields)) specs.set(name, spec)
  for (const [name, { spec }] of Object.entries(noun.options.computed ?? {})) specs.set(name, computedSpec(spec))
  return specs
}

/**
 * Returns the spec of one field: its type, its constraints and its modifiers, as a plain object. For a reference to a noun with a
 * GUID, the spec has `guid: true`.
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
 * @throws DeclarationError if the reference does not refer to a noun
 */
export function targetOf(noun: AnyNoun, field: string): AnyNoun {
  const { target } = (noun.fields[field] as AnyField).spec
  const referenced: unknown = typeof target === 'function' ? target() : target
  if (typeof referenced !== 'object' || referenced === null || !('fields' in referenced)) {
    throw new DeclarationError(
      `noun "${noun.name}", field "${field}"`,
      `the target of the reference must be a noun, not ${formatValue(referenced)}.`,
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
