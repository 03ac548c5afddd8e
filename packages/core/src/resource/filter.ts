/** Filters beside a resource's own properties. */
import type { Field, FieldSpec, Trait } from '../field/field.ts'

export interface Filter<Name extends string = string, Kind extends 'equal' | 'range' = 'equal' | 'range'> {
  readonly kind: Kind
  readonly properties: readonly Name[]
}

/**
 * Matches a record when any of the properties equals the value.
 *
 * ```ts
 * resource(note, { filters: { changedBy: equal('createdBy', 'updatedBy') } }) // GET /note?changedBy=7
 * ```
 */
export function equal<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'equal'> {
  return { kind: 'equal', properties }
}

/**
 * Gives two parameters, `{name}From` (inclusive) and `{name}To` (exclusive), and matches a record when any of the
 * properties lies between them.
 *
 * ```ts
 * resource(note, { filters: { changed: range('created', 'lastUpdated') } }) // GET /note?changedFrom=2026-11-01T00:00:00Z
 * ```
 */
export function range<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'range'> {
  return { kind: 'range', properties }
}

/** A filter whose meaning the service file tells; the declaration knows of what kind its value is. */
export interface CustomFilter<out Held = unknown> {
  readonly kind: 'custom'
  readonly spec: FieldSpec
  readonly '~held'?: Held
}

/**
 * Declares a filter that the service file gives its meaning, `filter(task, overdue, …)`. The field says of what kind its
 * value is; a request gives it once at most.
 *
 * ```ts
 * const overdue = custom(boolean())
 * resource(note, { filters: { overdue } }) // GET /note?overdue=true
 * ```
 */
export function custom<Held extends string | number | boolean, Traits extends Trait>(
  field: Field<Held, Traits>,
): CustomFilter<Held | ('nullable' extends Traits ? null : never)> {
  return { kind: 'custom', spec: field.spec }
}
