/** Filters beside a resource's own properties. */

export interface Filter<Name extends string = string, Kind extends 'equal' | 'range' = 'equal' | 'range'> {
  readonly kind: Kind
  readonly properties: readonly Name[]
}

/** Matches a record when any of the properties equals the value: `changedBy: equal('createdBy', 'updatedBy')`. */
export function equal<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'equal'> {
  return { kind: 'equal', properties }
}

/**
 * Gives two parameters, `{name}From` (inclusive) and `{name}To` (exclusive), and matches a record when any of the
 * properties lies between them: `createdOrUpdated: range('created', 'lastUpdated')`.
 */
export function range<const Name extends string>(...properties: readonly Name[]): Filter<Name, 'range'> {
  return { kind: 'range', properties }
}
