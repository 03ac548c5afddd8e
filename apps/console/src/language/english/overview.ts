/** The home page: totals, recent changes, usage. */
import type { Format } from '../format.ts'

export function overviewMessages({ number, plural }: Format) {
  const requests = (count: number) => `${number(count)} ${plural(count, { one: 'request', other: 'requests' })}`
  return {
    allChanges: 'All changes',
    calledBy: (count: number, callers: readonly string[]) => `${requests(count)} from ${callers.join(', ')}`,
    calls: (count: number, errors: number, callers: number) =>
      `${requests(count)}, ${number(errors)} ${plural(errors, { one: 'error', other: 'errors' })}, ` +
      `${number(callers)} ${plural(callers, { one: 'caller', other: 'callers' })}`,
    deprecatedCalls: 'Deprecated endpoints still in use',
    errorShare: (errors: number, all: number) =>
      `${number(errors)} ${plural(errors, { one: 'error', other: 'errors' })} in ${requests(all)}`,
    errors: 'Errors',
    noCalls: 'No application has called the service yet.',
    noLists: 'The OpenAPI documents of this service do not describe any lists.',
    period: (days: number) =>
      `Requests of the last ${plural(days, { one: 'day', other: `${number(days)} days` })}, excluding console requests.`,
    recentChanges: 'Recent changes',
  }
}
