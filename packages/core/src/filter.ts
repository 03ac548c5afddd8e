/** Filters beside a resource's own properties. */

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
