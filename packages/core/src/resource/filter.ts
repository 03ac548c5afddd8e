/** Filters of a resource that are not one of its properties. */
import type { Field, FieldSpec, Trait } from '../field/field.ts'

/** A filter (query parameter) over one or more properties, as `equal()` and `range()` return it. */
export interface Filter<Name extends string = string, Kind extends 'equal' | 'range' = 'equal' | 'range'> {
  readonly kind: Kind
  readonly properties: readonly Name[]
  /** The description, if there is one. */
  readonly text?: string
  /**
   * Describes the filter in the OpenAPI document and the console:
   * `equal('createdBy', 'updatedBy').description('Created or changed by this user.')`.
   */
  description(text: string): Filter<Name, Kind>
}

function filter<const Name extends string, Kind extends 'equal' | 'range'>(
  kind: Kind,
  properties: readonly Name[],
  text?: string,
): Filter<Name, Kind> {
  const description = (added: string) => filter(kind, properties, added)
  return { kind, properties, ...(text !== undefined && { text }), description }
}

/**
 * Declares an equality filter over several properties: it matches a record if any of them equals the value.
 *
 * @example
 * ```ts
 * resource(note, { filters: { changedBy: equal('createdBy', 'updatedBy') } }) // GET /note?changedBy=7
 * ```
 */
export function equal<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'equal'> {
  return filter('equal', properties)
}

/**
 * Declares a range filter with two query parameters, `{name}From` (inclusive) and `{name}To` (exclusive). It matches a record
 * if any of the properties is in the range.
 *
 * @example
 * ```ts
 * resource(note, { filters: { changed: range('created', 'lastUpdated') } }) // GET /note?changedFrom=2026-11-01T00:00:00Z
 * ```
 */
export function range<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'range'> {
  return filter('range', properties)
}

/** A custom filter, as `custom()` returns it. The service file implements it. */
export interface CustomFilter<out ValueType = unknown> {
  readonly kind: 'custom'
  readonly spec: FieldSpec
  readonly '~value'?: ValueType
}

/**
 * Declares a custom filter (query parameter) that the service file implements with `filter` of `@nomen/server`. The field
 * is the type of its value. A request may have the parameter once.
 *
 * @example
 * ```ts
 * export const overdue = custom(boolean().description('Due before today.'))
 * resource(note, { filters: { overdue } }) // GET /note?overdue=true
 * ```
 */
export function custom<ValueType extends string | number | boolean, Traits extends Trait>(
  field: Field<ValueType, Traits>,
): CustomFilter<ValueType | ('nullable' extends Traits ? null : never)> {
  return { kind: 'custom', spec: field.spec }
}
