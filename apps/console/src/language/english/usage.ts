/** The usage of the service: endpoints and their callers. */
import type { Format } from '../format.ts'

export function usageMessages({ number, plural, day, time }: Format) {
  const moment = (text: string) => `${day(text)} ${time(text)}`
  return {
    all: (count: number) => `All ${number(count)}`,
    caller: 'Caller',
    callers: 'Callers',
    callerUser: (name: string) => `user ${name}`,
    callerOthers: 'others',
    callerUnknown: 'unattributed',
    cell: (caller: string, count: number, endpoint: string) =>
      `${number(count)} ${plural(count, { one: 'request', other: 'requests' })} from ${caller} to ${endpoint}`,
    coverage: (requests: number, first: string, last: string, days: number) =>
      `${number(requests)} ${plural(requests, { one: 'request', other: 'requests' })} from ${moment(first)} to ${moment(last)} UTC. ` +
      `Quiet: no calls for ${number(days)} ${plural(days, { one: 'day', other: 'days' })}.`,
    deprecated: 'Deprecated',
    endpoint: 'Endpoint',
    errors: 'Errors',
    first: 'First',
    gaps: (days: readonly string[], more: number) =>
      `No log entries for ${days.map(day).join(', ')}` +
      `${more > 0 ? ` and ${number(more)} more ${plural(more, { one: 'day', other: 'days' })}` : ''}: requests of these days are not counted.`,
    gone: 'Gone',
    heatMap: 'Endpoints by caller',
    inUse: (count: number) => `In use ${number(count)}`,
    inUseBy: (callers: readonly string[], more: number) =>
      `In use by ${callers.join(', ')}${more > 0 ? `, ${number(more)} more` : ''}`,
    last: 'Last',
    never: (count: number) => `Never called ${number(count)}`,
    neverCalled: 'Never called',
    noRequests: 'The logs do not contain any requests yet.',
    noRequestsHere: 'No requests logged.',
    others: (count: number) =>
      `${number(count)} of these requests ${plural(count, { one: 'does', other: 'do' })} not match an endpoint of this service.`,
    otherCallers: 'Others',
    peak: (title: string, most: number) => `${title}, maximum ${number(most)}`,
    quiet: (count: number) => `Quiet ${number(count)}`,
    quietSince: (last: string) => `Quiet since ${day(last)}`,
    requests: 'Requests',
    requestsByDay: 'Requests by day',
    sunset: (date: string) => `removed on ${day(date)}`,
    since: (date: string) => `since ${day(date)}`,
    successor: (path: string) => `see ${path}`,
    showConsole: 'Show calls of the console',
    shown: 'Endpoints to show',
    status: 'Status',
    trend: 'Trend',
    unavailable: 'Usage is not available',
    unavailableNote:
      'This service does not offer /usage. Its operator can read the access log: nomen usage data/access.log --format html',
    unreadable: (count: number) =>
      `${number(count)} ${plural(count, { one: 'line', other: 'lines' })} could not be read.`,
  }
}
