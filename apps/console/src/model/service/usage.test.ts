// Usage reports as rows and columns.
import { expect, it } from 'vitest'
import type { Sort } from '../list/query.ts'
import { serviceOf } from './service.ts'
import {
  byDay,
  callersIn,
  columnsOf,
  columnTitle,
  daysOf,
  deprecationOf,
  heat,
  requestsOf,
  type UsageReport,
  verdictText,
} from './usage.ts'
import { groupsOf } from './usage-group.ts'
import { callerSort, nextSorts, sortedGroups } from './usage-sort.ts'

const caller = (name: string, requests: number, kind = 'agent') =>
  ({
    kind,
    name,
    requests,
    errors: 0,
    bytes: 0,
    first: '2026-11-01T00:00:00Z',
    last: '2026-11-03T00:00:00Z',
    days: { '2026-11-03': requests },
  }) as const

const report = {
  window: { first: '2026-11-01T09:00:00Z', last: '2026-11-03T10:00:00Z', gaps: ['2026-11-02'] },
  quietAfter: 30,
  requests: 16,
  unreadable: 0,
  others: 0,
  endpoints: [
    {
      id: 'a',
      method: 'GET',
      path: '/v1/user/{id}',
      verdict: 'in use',
      requests: 16,
      errors: 0,
      bytes: 0,
      callers: [caller('shop', 9), caller('desk', 4), caller('ada', 2, 'user'), caller('', 1, 'unattributed')],
    },
    { id: 'b', method: 'GET', path: '/role', verdict: 'never called', requests: 0, errors: 0, bytes: 0, callers: [] },
  ],
} as unknown as UsageReport

const callers = report.endpoints.flatMap((endpoint) => endpoint.callers)

it('has a column for each of the busiest callers, and one for the others', () => {
  expect(columnsOf(callers, 12)).toEqual(['shop', 'desk', 'user ada', 'unknown caller'])
  const columns = columnsOf(callers, 3)
  expect(columns.map(columnTitle)).toEqual(['shop', 'desk', 'Others'])
  const [first] = report.endpoints
  expect(columns.map((column) => requestsOf(callersIn(first as never, column, columns)))).toEqual([9, 4, 3])
})

it('covers every day of the window, those without a call too', () => {
  const days = daysOf(report)
  expect(days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
  expect(byDay(report.endpoints[0]?.callers ?? [], days)).toEqual([0, 0, 16])
  expect(daysOf({ ...report, window: undefined } as never)).toEqual([])
})

it('increases with the number of requests, from 0 to 1', () => {
  expect([heat(0, 100), heat(100, 100)]).toEqual([0, 1])
  expect(heat(10, 1000)).toBeGreaterThan(heat(5, 1000))
})

it('sorts groups and their endpoints by any column, numbers with the largest first', () => {
  const endpoint = (path: string, shop: number, desk: number) =>
    ({
      ...report.endpoints[1],
      path,
      requests: shop + desk,
      callers: [caller('shop', shop), caller('desk', desk)],
    }) as never
  const groups = groupsOf([endpoint('/user', 1, 9), endpoint('/user/{id}', 5, 6), endpoint('/role', 8, 0)])
  const columns = ['shop', 'desk']
  const paths = (...clicks: readonly string[]) => {
    const [sort] = clicks.reduce<readonly Sort[]>(([before], name) => nextSorts(before, name), [])
    return sortedGroups(groups, sort, columns).flatMap((group) => group.endpoints.map(({ path }) => path))
  }
  const busiest = '/user/{id}'
  expect(paths('requests')).toEqual([busiest, '/user', '/role'])
  expect(paths('requests', 'requests')).toEqual(['/role', '/user', busiest])
  expect(paths('requests', 'requests', 'requests')).toEqual(['/user', busiest, '/role'])
  expect(paths('endpoint')).toEqual(['/role', '/user', busiest])
  expect(paths(callerSort('shop'))).toEqual(['/role', busiest, '/user'])
})

it('says who calls, and what is to go', () => {
  expect(report.endpoints.map(verdictText)).toEqual(['In use by shop, desk, 2 more', 'Never called'])
  const operation = { deprecated: true, responses: {}, 'x-nomen-deprecation': { since: '2026-01-01' } }
  const document = { paths: { '/v1/user/{userRef}': { get: operation } } }
  const service = serviceOf('s', [{ document, base: '' }])
  expect(deprecationOf(service, { method: 'GET', path: '/v1/user/{id}' })).toEqual({ since: '2026-01-01' })
  expect(deprecationOf(service, { method: 'GET', path: '/role' })).toBeUndefined()
})
