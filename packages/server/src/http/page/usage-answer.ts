/** The answer to `GET /usage`: the report of what all instances have counted. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FieldError, type Operation, readBound } from '@nomen/core'
import { endpointOf, endpointReport, RollupReader, type UsageReport, usageWindow } from '@nomen/core/usage'
import { quoted } from '../../foundation/quoted.ts'
import type { Answer } from '../../message/answer.ts'
import type { Rollup } from '../../observe/usage/rollup.ts'
import { givenOnce, invalidParameter, refuseUnknown } from '../../pipeline/read/parameter-problem.ts'
import { parseQuery } from '../../pipeline/read/query-string.ts'
import type { ServedDay, UsageStore } from '../../store/usage.ts'

const dayLength = 86_400_000

interface UsageAsk {
  readonly quietAfter: number
  /** The first and the last day, both included. */
  readonly from: string
  readonly to: string
  /** Of these two, those that were given. */
  readonly asked: NonNullable<UsageReport['asked']>
}

/** Answers one after the other: a report of a year is much to read. */
export function usageAnswerer(
  operations: readonly Operation[],
  rollup: Rollup,
  store: UsageStore,
): (query: string) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  const answer = async (query: string): Promise<Answer> => {
    const ask = readAsk(query)
    await rollup.flush()
    return { status: 200, mediaType: 'application/json; charset=utf-8', body: await reportText(operations, store, ask) }
  }
  return (query) => {
    const next = last.then(() => answer(query))
    last = next.catch(() => {})
    return next
  }
}

/** Reads day by day, and lets other requests pass in between. */
async function reportText(operations: readonly Operation[], store: UsageStore, ask: UsageAsk): Promise<string> {
  const { quietAfter } = ask
  const endpoints = operations.map(endpointOf)
  const reader = new RollupReader(endpoints)
  const served = (await store.days()).filter(({ day }) => day >= ask.from && day <= ask.to)
  for (const { day } of served) {
    reader.read(day, await store.rows(day))
    await nextTurn()
  }
  const window = windowOf(served, ask)
  const end = window ? Date.parse(window.last) : 0
  const { requests, unreadable, others } = reader.tally
  const head: Omit<UsageReport, 'endpoints'> = {
    source: 'service',
    ...(Object.keys(ask.asked).length > 0 && { asked: ask.asked }),
    ...(window && { window }),
    quietAfter,
    requests,
    unreadable,
    others,
  }
  const parts: string[] = []
  for (const [index, endpoint] of endpoints.entries()) {
    parts.push(JSON.stringify(endpointReport(endpoint, index, reader, end - quietAfter * dayLength)))
    await nextTurn()
  }
  return `${JSON.stringify(head).slice(0, -1)},"endpoints":[${parts.join(',')}]}`
}

/** From the first moment that an instance was there to the last, which is now where today is asked for. */
function windowOf(served: readonly ServedDay[], { to }: UsageAsk): UsageReport['window'] {
  const [first, last] = [served[0], served.at(-1)]
  if (!first || !last) return undefined
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const isNow = to >= now.toISOString().slice(0, 10)
  const end = isNow ? now.getTime() : Date.parse(last.last)
  return usageWindow(
    Date.parse(first.first),
    end,
    served.map(({ day }) => Date.parse(day) / dayLength),
  )
}

const readers = {
  quietAfter: (text: string) => (/^[1-9]\d{0,4}$/.test(text) ? undefined : 'must be a number of days from 1 to 99999'),
  from: dayFault,
  to: dayFault,
}

function dayFault(text: string): string | undefined {
  const reading = readBound({ kind: 'date' }, text)
  return 'fault' in reading ? reading.fault : undefined
}

function readAsk(query: string): UsageAsk {
  const given = parseQuery(query)
  refuseUnknown(given, new Set(Object.keys(readers)), '/usage')
  const errors: FieldError[] = []
  const values = new Map<string, string>()
  for (const [parameter, fault] of Object.entries(readers)) {
    const texts = given.get(parameter)
    if (!texts) continue
    const [text = ''] = texts
    const found = fault(text)
    if (texts.length > 1) errors.push({ parameter, detail: givenOnce(texts) })
    else if (found !== undefined) errors.push({ parameter, detail: `${found}, not ${quoted(text)}` })
    values.set(parameter, text)
  }
  const asked = Object.fromEntries([...values].filter(([name]) => name !== 'quietAfter'))
  const { from = '0000-01-01', to = '9999-12-31', quietAfter = '30' } = Object.fromEntries(values)
  if (errors.length === 0 && from > to) errors.push({ parameter: 'to', detail: `must not be before ${from}` })
  if (errors.length > 0) throw invalidParameter(errors)
  return { quietAfter: Number(quietAfter), from, to, asked }
}
