/** The order of the lines of a usage report, by one of its columns. */
import type { Sort } from '../list/query.ts'
import { callersIn, type EndpointReport, requestsOf } from './usage.ts'
import type { UsageGroup } from './usage-group.ts'

/** The columns that come before those of the callers. */
export type UsageColumn = 'endpoint' | 'status' | 'requests'

/** Prefix of the sort by the requests of one caller, whose name may be that of another column. */
const callerPrefix = 'by '

export function callerSort(column: string): string {
  return `${callerPrefix}${column}`
}

/** The sort after a click on the head of a column: numbers begin with the largest. A third click removes the sort. */
export function nextSorts(sort: Sort | undefined, name: string): readonly Sort[] {
  const isDescending = name !== 'endpoint'
  if (sort?.name !== name) return [{ name, isDescending }]
  return sort.isDescending === isDescending ? [{ name, isDescending: !isDescending }] : []
}

const verdicts: readonly string[] = ['never called', 'quiet', 'in use']

/** The groups by their sums, and the endpoints inside each. Without a sort, the order of the service. */
export function sortedGroups(
  groups: readonly UsageGroup[],
  sort: Sort | undefined,
  columns: readonly string[],
): readonly UsageGroup[] {
  if (!sort) return groups
  const compare = (a: EndpointReport, b: EndpointReport) =>
    (sort.isDescending ? -1 : 1) * compareBy(sort.name, columns, a, b)
  return groups
    .map((group) => ({ ...group, endpoints: group.endpoints.toSorted(compare) }))
    .toSorted((a, b) => compare(a.total, b.total))
}

function compareBy(name: string, columns: readonly string[], a: EndpointReport, b: EndpointReport): number {
  if (name === 'endpoint') return `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`)
  const valueIn = (endpoint: EndpointReport) => {
    if (name === 'status') return verdicts.indexOf(endpoint.verdict)
    if (!name.startsWith(callerPrefix)) return endpoint.requests
    return requestsOf(callersIn(endpoint, name.slice(callerPrefix.length), columns))
  }
  return valueIn(a) - valueIn(b)
}
