/** The time that usage is asked for: `--from` and `--to` as days, moments, or so long before now. */
import { readBound } from '@nomen/core'
import type { Span, UsageReport } from '@nomen/core/usage'
import type { Arguments } from '../command.ts'
import { CommandError } from '../command-error.ts'

export interface AskedSpan {
  readonly moments: Span
  /** As the report tells it: days, or moments. */
  readonly asked: NonNullable<UsageReport['asked']>
}

interface Bound {
  /** A day, or a moment in UTC. */
  readonly text: string
  /** When it begins, and when it is over: of a moment the same. */
  readonly begin: number
  readonly end: number
}

const hour = 3_600_000
const day = 24 * hour

/** Undefined where all of it is asked for. */
export function askedSpan(args: Arguments, now: number): AskedSpan | undefined {
  const [from, to] = [boundOf(args, 'from', now), boundOf(args, 'to', now)]
  if (!from && !to) return undefined
  if (from && to && from.begin >= to.end)
    throw new CommandError(`--from ${from.text} is not before --to ${to.text}.`, 'Swap them, or leave one of them out.')
  if (from && from.begin > now)
    throw new CommandError(`--from ${from.text} is still to come.`, 'Give a time that has been, such as 30d.')
  return {
    moments: { ...(from && { from: from.begin }), ...(to && { to: to.end }) },
    asked: { ...(from && { from: from.text }), ...(to && { to: to.text }) },
  }
}

/** The same for a service, which counts by days. */
export function daysOf(span: AskedSpan | undefined): Readonly<Record<string, string>> {
  for (const [name, text] of Object.entries(span?.asked ?? {}))
    if (text.includes('T'))
      throw new CommandError(
        `--${name} is the moment ${text}, and a service counts by days.`,
        `Give a day, such as ${text.slice(0, 10)} or 30d, or name access logs.`,
      )
  return { ...span?.asked }
}

function boundOf(args: Arguments, name: 'from' | 'to', now: number): Bound | undefined {
  const text = args.text(name)
  if (text === undefined) return undefined
  return relativeBound(text, now) ?? absoluteBound(text) ?? refuse(name, text)
}

/** `30d` is a day, `12h` a moment. */
function relativeBound(text: string, now: number): Bound | undefined {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  if (count === undefined) return undefined
  const time = now - Number(count) * (unit === 'h' ? hour : day)
  return unit === 'd' ? dayBound(new Date(time).toISOString().slice(0, 10)) : momentBound(new Date(time).toISOString())
}

function absoluteBound(text: string): Bound | undefined {
  if (!('fault' in readBound({ kind: 'date' }, text))) return dayBound(text)
  const moment = readBound({ kind: 'timestamp' }, text)
  return 'fault' in moment ? undefined : momentBound(`${moment.value}`)
}

function dayBound(text: string): Bound {
  const begin = Date.parse(text)
  return { text, begin, end: begin + day }
}

function momentBound(text: string): Bound {
  const time = Date.parse(text)
  return { text: text.replace(/\.\d+Z$/, 'Z'), begin: time, end: time }
}

function refuse(name: string, text: string): never {
  throw new CommandError(
    `--${name} is "${text}".`,
    'Give a day such as 2026-11-01 (UTC), a moment such as 2026-11-01T08:00:00Z, or so long before now: 30d, 12h.',
  )
}
