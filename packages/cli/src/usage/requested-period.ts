/** The requested period of `nomen usage`: `--from` and `--to` as days, times, or ages. */
import { readBound } from '@nomen/core'
import type { Span, UsageReport } from '@nomen/core/usage'
import type { Arguments } from '../command.ts'
import { CommandError, invalidValue } from '../command-error.ts'

export interface RequestedPeriod {
  readonly span: Span
  /** The same, but not beyond now. */
  readonly past: Span
  /** As the report shows it: days or times. */
  readonly requested: NonNullable<UsageReport['requested']>
}

interface Bound {
  /** A day, or a time in UTC. */
  readonly text: string
  /** Start and end in milliseconds; equal for a time. */
  readonly startMs: number
  readonly endMs: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Undefined without `--from` and `--to`. */
export function requestedPeriod(args: Arguments, now: number): RequestedPeriod | undefined {
  const [from, to] = [boundOf(args, 'from', now), boundOf(args, 'to', now)]
  if (!from && !to) return undefined
  if (from && to && from.startMs >= to.endMs)
    throw new CommandError(`--from ${from.text} is not before --to ${to.text}.`, 'Swap them, or remove one of them.')
  if (from && from.startMs > now)
    throw new CommandError(`--from ${from.text} is in the future.`, 'Use a time in the past, such as 30d.')
  const past = { ...(from && { from: from.startMs }), to: Math.min(to?.endMs ?? now, now) }
  return {
    past,
    span: { ...(from && { from: from.startMs }), ...(to && { to: to.endMs }) },
    requested: { ...(from && { from: from.text }), ...(to && { to: to.text }) },
  }
}

/** The query parameters for a service, which counts by day. */
export function periodQuery(period: RequestedPeriod | undefined): Readonly<Record<string, string>> {
  for (const [name, text] of Object.entries(period?.requested ?? {}))
    if (text.includes('T'))
      throw new CommandError(
        `--${name} is the time ${text}, but a service counts by day.`,
        `Use a day, such as ${text.slice(0, 10)} or 30d, or use access logs.`,
      )
  return { ...period?.requested }
}

function boundOf(args: Arguments, name: 'from' | 'to', now: number): Bound | undefined {
  const text = args.text(name)
  if (text === undefined) return undefined
  const bound = relativeBound(text, now) ?? absoluteBound(text)
  if (bound) return bound
  throw invalidValue(
    `--${name}`,
    text,
    'a day such as 2026-11-01 (UTC), a time such as 2026-11-01T08:00:00Z, or an age such as 30d or 12h',
  )
}

/** `30d` is a day, `12h` is a time. */
function relativeBound(text: string, now: number): Bound | undefined {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  if (count === undefined) return undefined
  const time = now - Number(count) * (unit === 'h' ? hourMs : dayMs)
  return unit === 'd' ? dayBound(new Date(time).toISOString().slice(0, 10)) : timeBound(new Date(time).toISOString())
}

function absoluteBound(text: string): Bound | undefined {
  if (!('fault' in readBound({ kind: 'date' }, text))) return dayBound(text)
  const timestamp = readBound({ kind: 'timestamp' }, text)
  return 'fault' in timestamp ? undefined : timeBound(`${timestamp.value}`)
}

function dayBound(text: string): Bound {
  const begin = Date.parse(text)
  return { text, startMs: begin, endMs: begin + dayMs }
}

function timeBound(text: string): Bound {
  const time = Date.parse(text)
  return { text: text.replace(/\.\d+Z$/, 'Z'), startMs: time, endMs: time }
}
