/** Groups a usage report by version and noun, limits it to a range of days, and writes it as a table. */

import type { CallerReport, EndpointReport, UsageReport } from './usage.ts'
import { isConsoleCall, requestsOf } from './usage.ts'

/** The endpoints of one noun in one version, and their sum. */
export interface UsageGroup {
  /** The sum. Its path is that of the noun: `/v1/user`. */
  readonly total: EndpointReport
  readonly endpoints: readonly EndpointReport[]
}

/** The report with the requests of these days only. Verdicts are still about the whole period. */
export function inRange(report: UsageReport, days: readonly string[]): UsageReport {
  const endpoints = report.endpoints.map((endpoint) => {
    const callers = endpoint.callers
      .map((caller) => ({ ...caller, requests: days.reduce((sum, day) => sum + (caller.days[day] ?? 0), 0) }))
      .filter(({ requests }) => requests > 0)
    return { ...endpoint, callers, requests: requestsOf(callers.filter((caller) => !isConsoleCall(caller))) }
  })
  return { ...report, endpoints }
}

/** The groups in the order of their first endpoints. */
export function groupsOf(endpoints: readonly EndpointReport[]): readonly UsageGroup[] {
  return [...Map.groupBy(endpoints, ({ path }) => groupPath(path))].map(([path, members]) => ({
    total: sumOf(path, members),
    endpoints: members,
  }))
}

/** The version and the first noun of a path. Variants of a list belong to its noun: `/user-summary` to `/user`. */
export function groupPath(path: string): string {
  const [, version = '', noun = ''] = /^((?:\/v\d+)?)(\/[^/]*)/.exec(path) ?? []
  return version + noun.replace(/-(summary|detail)$/, '')
}

function sumOf(path: string, endpoints: readonly EndpointReport[]): EndpointReport {
  const times = (name: 'first' | 'last') => endpoints.flatMap((endpoint) => endpoint[name] ?? []).toSorted()
  const [first, last] = [times('first')[0], times('last').at(-1)]
  const verdicts = endpoints.map(({ verdict }) => verdict)
  const sum = (name: 'requests' | 'errors' | 'bytes') =>
    endpoints.reduce((total, endpoint) => total + endpoint[name], 0)
  return {
    id: path,
    method: '',
    path,
    verdict: verdicts.includes('in use') ? 'in use' : verdicts.includes('quiet') ? 'quiet' : 'never called',
    requests: sum('requests'),
    errors: sum('errors'),
    bytes: sum('bytes'),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    callers: merged(endpoints.flatMap(({ callers }) => callers)),
  }
}

/** One entry for each caller, the busiest first. */
export function merged(callers: readonly CallerReport[]): readonly CallerReport[] {
  const byName = Map.groupBy(callers, ({ kind, name }) => `${kind} ${name}`)
  return [...byName.values()]
    .map((callerReports) => callerReports.reduce(addReports))
    .toSorted((a, b) => b.requests - a.requests)
}

function addReports(left: CallerReport, right: CallerReport): CallerReport {
  const days = { ...left.days }
  for (const [day, count] of Object.entries(right.days)) days[day] = (days[day] ?? 0) + count
  return {
    ...left,
    requests: left.requests + right.requests,
    errors: left.errors + right.errors,
    bytes: left.bytes + right.bytes,
    first: [left.first, right.first].toSorted()[0] ?? left.first,
    last: [left.last, right.last].toSorted()[1] ?? left.last,
    days,
  }
}

/** Whether the report covers as many days as an endpoint must be quiet, without gaps. Only then can one be retired. */
export function coversQuietPeriod({ window, quietAfter }: UsageReport): boolean {
  if (!window) return false
  const coveredDays = (Date.parse(window.last) - Date.parse(window.first)) / 86_400_000
  return coveredDays >= quietAfter && window.gaps.length === 0
}

/** The table of a report, one line for each endpoint and caller, for a spreadsheet. */
export function usageTable(endpoints: readonly EndpointReport[]): readonly (readonly (string | number)[])[] {
  const head = ['method', 'path', 'status', 'callerKind', 'caller', 'requests', 'errors', 'first', 'last']
  const lines = endpoints.flatMap(({ method, path, verdict, callers }) =>
    callers.length === 0
      ? [[method, path, verdict, '', '', 0, 0, '', '']]
      : callers.map(({ kind, name, requests, errors, first, last }) => [
          method,
          path,
          verdict,
          kind,
          name,
          requests,
          errors,
          first,
          last,
        ]),
  )
  return [head, ...lines]
}
