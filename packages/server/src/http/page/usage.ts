/** Serves `/usage`, the report of the usage counts of all instances. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FieldError, type Operation, readBound } from '@nomen/core'
import { endpointOf, endpointReport, RollupReader, type UsageReport, usageWindow } from '@nomen/core/usage'
import { quoted } from '../../foundation/quoted.ts'
import type { TextResponse } from '../../message/text-response.ts'
import type { Rollup } from '../../observe/usage/rollup.ts'
import { invalidParameter, rejectUnknown, repeatedDetail } from '../../pipeline/read/parameter-problem.ts'
import { parseQuery } from '../../pipeline/read/query-string.ts'
import type { ServedDay, UsageStore } from '../../store/usage.ts'
import type { Page } from '../routes.ts'

const dayMs = 86_400_000

interface UsageQuery {
  readonly quietAfter: number
  /** The first and the last day, both included. */
  readonly from: string
  readonly to: string
  /** The parameters `from` and `to` of the request. */
  readonly requested: NonNullable<UsageReport['requested']>
}

/** Handles one request at a time, because a report of a year is expensive. */
export function usagePage(operations: readonly Operation[], rollup: Rollup, store: UsageStore): Page {
  let lastResponse: Promise<unknown> = Promise.resolve()
  const response = async (query: string): Promise<TextResponse> => {
    const usageQuery = readUsageQuery(query)
    await rollup.flush()
    return {
      status: 200,
      mediaType: 'application/json; charset=utf-8',
      body: await reportText(operations, store, usageQuery),
    }
  }
  const serve: Page['serve'] = ({ query }) => {
    const nextResponse = lastResponse.then(() => response(query))
    lastResponse = nextResponse.catch(() => {})
    return nextResponse
  }
  return { path: '/usage', requiredScopes: 'usage:read', serve }
}

/** Reads day by day, so that other requests run in between. */
async function reportText(
  operations: readonly Operation[],
  store: UsageStore,
  usageQuery: UsageQuery,
): Promise<string> {
  const { quietAfter } = usageQuery
  const endpoints = operations.map(endpointOf)
  const reader = new RollupReader(endpoints)
  const days = (await store.days()).filter(({ day }) => day >= usageQuery.from && day <= usageQuery.to)
  for (const { day } of days) {
    reader.read(day, await store.rows(day))
    await nextTurn()
  }
  const window = windowOf(days, usageQuery)
  const end = window ? Date.parse(window.last) : 0
  const { requests, unreadable, others } = reader.tally
  const reportStart: Omit<UsageReport, 'endpoints'> = {
    source: 'service',
    ...(Object.keys(usageQuery.requested).length > 0 && { requested: usageQuery.requested }),
    ...(window && { window }),
    quietAfter,
    requests,
    unreadable,
    others,
  }
  const endpointTexts: string[] = []
  for (const [index, endpoint] of endpoints.entries()) {
    endpointTexts.push(JSON.stringify(endpointReport(endpoint, index, reader, end - quietAfter * dayMs)))
    await nextTurn()
  }
  return `${JSON.stringify(reportStart).slice(0, -1)},"endpoints":[${endpointTexts.join(',')}]}`
}

/** The period of the report: from the first to the last time that an instance ran; until now if it includes today. */
function windowOf(days: readonly ServedDay[], { to }: UsageQuery): UsageReport['window'] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return undefined
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const isNow = to >= now.toISOString().slice(0, 10)
  const end = isNow ? now.getTime() : Date.parse(last.last)
  return usageWindow(
    Date.parse(first.first),
    end,
    days.map(({ day }) => Date.parse(day) / dayMs),
  )
}

const readers = {
  quietAfter: (text: string) => (/^[1-9]\d{0,4}$/.test(text) ? undefined : 'must be a number of days from 1 to 99999'),
  from: dayFault,
  to: dayFault,
}

function dayFault(text: string): string | undefined {
  const result = readBound({ kind: 'date' }, text)
  return 'fault' in result ? result.fault : undefined
}

function readUsageQuery(query: string): UsageQuery {
  const parameters = parseQuery(query)
  rejectUnknown(parameters, new Set(Object.keys(readers)), '/usage')
  const errors: FieldError[] = []
  const values = new Map<string, string>()
  for (const [parameter, fault] of Object.entries(readers)) {
    const texts = parameters.get(parameter)
    if (!texts) continue
    const [text = ''] = texts
    const detail = fault(text)
    if (texts.length > 1) errors.push({ parameter, detail: repeatedDetail(texts) })
    else if (detail !== undefined) errors.push({ parameter, detail: `${detail}, not ${quoted(text)}` })
    values.set(parameter, text)
  }
  const requested = Object.fromEntries([...values].filter(([name]) => name !== 'quietAfter'))
  const { from = '0000-01-01', to = '9999-12-31', quietAfter = '30' } = Object.fromEntries(values)
  if (errors.length === 0 && from > to) errors.push({ parameter: 'to', detail: `must not be before ${from}` })
  if (errors.length > 0) throw invalidParameter(errors)
  return { quietAfter: Number(quietAfter), from, to, requested }
}
