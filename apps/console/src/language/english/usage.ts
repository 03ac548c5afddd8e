/** The usage of the service: endpoints and their callers. */
import type { Format } from '../format.ts'

const filters: { readonly [verdict: string]: string } = {
  all: 'All endpoints',
  'in use': 'In use',
  quiet: 'Quiet',
  'never called': 'Never called',
  ready: 'Ready to retire',
}

export function usageMessages({ number, plural, day, time }: Format) {
  const moment = (text: string) => `${day(text)} ${time(text)}`
  return {
    caller: 'Caller',
    callers: 'Callers',
    callerUser: (name: string) => `user ${name}`,
    callerOthers: 'others',
    callerUnknown: 'unknown caller',
    /** Begins with the number as it is shown, so that speech input finds the cell. */
    cell: (shown: string, caller: string, count: number, endpoint: string) =>
      `${shown} ${plural(count, { one: 'request', other: 'requests' })} from ${caller} to ${endpoint}`,
    coverage: (requests: number, first: string, last: string, days: number) =>
      `Whole period: ${number(requests)} ${plural(requests, { one: 'request', other: 'requests' })} from ${moment(first)} to ${moment(last)} UTC. ` +
      `Quiet means: not called for ${number(days)} ${plural(days, { one: 'day', other: 'days' })}.`,
    deprecated: 'Deprecated',
    endpoint: 'Endpoint',
    endpoints: (count: number) => `${number(count)} ${plural(count, { one: 'endpoint', other: 'endpoints' })}`,
    endpointsOf: (path: string) => `Endpoints of ${path}`,
    errors: 'Errors',
    export: 'Export',
    filter: (verdict: string, count: number) => `${filters[verdict] ?? verdict} ${number(count)}`,
    first: 'First',
    gaps: (days: readonly string[], more: number) =>
      `The service was not running, or did not count, on ${days.map(day).join(', ')}` +
      `${more > 0 ? ` and ${number(more)} more ${plural(more, { one: 'day', other: 'days' })}` : ''}.`,
    gone: 'Removed (410)',
    heatMap: 'Endpoints by caller',
    inUse: 'In use',
    inUseBy: (callers: readonly string[], more: number) =>
      `In use by ${callers.join(', ')}${more > 0 ? `, ${number(more)} more` : ''}`,
    last: 'Last',
    lastDays: (days: number) => `${number(days)} days`,
    neverCalled: 'Never called',
    noRequests: 'The service has counted no requests yet.',
    nothingFound: 'No endpoint matches.',
    nothingReady: 'No deprecated endpoint is ready to retire.',
    notEnoughData: (days: number) =>
      `The data does not cover ${number(days)} days without gaps, so it does not show which endpoints are no longer called.`,
    noRequestsHere: 'No requests counted in these days.',
    onDay: (date: string, count: number) => `${day(date)}: ${number(count)}`,
    others: (count: number) =>
      `${number(count)} of these requests ${plural(count, { one: 'does', other: 'do' })} not match an endpoint of this service.`,
    otherCallers: 'Others',
    peak: (title: string, most: number) => `${title}, maximum ${number(most)}`,
    quietSince: (last: string) => `Quiet since ${day(last)}`,
    range: 'Days to show',
    requests: 'Requests',
    requestsByDay: 'Requests by day',
    sunset: (date: string) => `to be removed on ${day(date)}`,
    since: (date: string) => `since ${day(date)}`,
    successor: (path: string) => `see ${path}`,
    search: 'Search endpoints',
    showConsole: 'Include console requests',
    shown: 'Endpoints to show',
    status: 'Status',
    trend: 'Trend',
    unavailable: 'Usage is not available',
    unavailableNote:
      'This service does not offer /usage. Its operator can read the access log: nomen usage data/access.log --format html',
    unreadable: (count: number) =>
      `${number(count)} ${plural(count, { one: 'entry', other: 'entries' })} could not be read.`,
    wholePeriod: 'Whole period',
  }
}
