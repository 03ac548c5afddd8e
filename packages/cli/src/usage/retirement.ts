/** Decides whether the data of a usage report is enough to say that an endpoint can be removed. */
import type { UsageReport } from '@nomen/core/usage'
import { countText, duration, numberText } from '../output/number-text.ts'

/** A reason why the report cannot say whether a removal is safe. */
export interface Doubt {
  readonly detail: string
  readonly fix: string
}

/** The share of unreadable lines above which a call may well be among them. */
const maxUnreadableShare = 0.01

const dayMs = 86_400_000

/** Returns all doubts; none if the data covers the whole period. `areGapsAllowed`: days without lines had no calls. */
export function doubtsOf(report: UsageReport, areGapsAllowed: boolean): readonly Doubt[] {
  return [
    ...unreadableDoubt(report),
    ...(report.window
      ? [...shortDoubt(report, report.window), ...(areGapsAllowed ? [] : gapDoubt(report, report.window))]
      : [emptyDoubt(report)]),
  ]
}

type Window = NonNullable<UsageReport['window']>

function unreadableDoubt({ unreadable, requests, outside }: UsageReport): readonly Doubt[] {
  const lines = unreadable + requests + (outside?.requests ?? 0)
  if (unreadable <= lines * maxUnreadableShare) return []
  return [
    {
      detail: `${numberText(unreadable)} of ${countText(lines, 'line')} could not be read, more than 1 %.`,
      fix: 'Use access logs in the combined or common format only.',
    },
  ]
}

function emptyDoubt({ source, requested }: UsageReport): Doubt {
  const period = requested ? ' in that period' : ''
  return source === 'service'
    ? {
        detail: `The service has counted no requests${period}.`,
        fix: 'Try again later, or use access logs.',
      }
    : {
        detail: `The logs contain no requests${period}.`,
        fix: `Use logs ${requested ? 'of that period' : 'that contain requests'}.`,
      }
}

function shortDoubt(report: UsageReport, window: Window): readonly Doubt[] {
  const { source, quietAfter } = report
  const { first, last } = coveredPeriod(report, window)
  const knownMs = last - first
  if (knownMs >= quietAfter * dayMs) return requestedDoubt(report, window)
  const knownText = knownMs < dayMs ? duration(knownMs / 1000) : countText(Math.floor(knownMs / dayMs), 'day')
  const subject = source === 'service' ? 'The service has counted for' : 'The logs cover'
  return [
    {
      detail: `${subject} ${knownText}, less than ${countText(quietAfter, 'day')}.`,
      fix: `Try again after ${timeText(first + quietAfter * dayMs)}, or give a shorter period with --quiet-after <days>.`,
    },
  ]
}

/** Requests outside of the requested period show that the logs cover it to its end. */
function coveredPeriod({ requested, outside }: UsageReport, window: Window): { first: number; last: number } {
  const [first, last] = [Date.parse(window.first), Date.parse(window.last)]
  if (!requested || !outside) return { first, last }
  const [from, to] = [startOf(requested.from), endOf(requested.to)]
  return {
    first: Date.parse(outside.first) < from ? from : first,
    last: Date.parse(outside.last) >= to ? to : last,
  }
}

/** Days of the requested period before or after the days that a service has counted. For logs, such days are gaps. */
function requestedDoubt({ source, requested }: UsageReport, window: Window): readonly Doubt[] {
  if (source !== 'service' || !requested) return []
  const { from = window.first, to = window.last } = requested
  const isCovered = from.slice(0, 10) >= window.first.slice(0, 10) && to.slice(0, 10) <= lastDay(window)
  if (isCovered) return []
  return [
    {
      detail: `The service has counted from ${window.first} to ${window.last}, not for the whole requested period.`,
      fix: 'Request a shorter period with --from and --to.',
    },
  ]
}

/** Today or later is covered until now. */
function lastDay({ last }: Window): string {
  return Date.now() - Date.parse(last) < dayMs ? '9999-12-31' : last.slice(0, 10)
}

function gapDoubt({ source }: UsageReport, { gaps }: Window): readonly Doubt[] {
  if (gaps.length === 0) return []
  const days = gaps.length === 1 ? gaps.join() : `${countText(gaps.length, 'day')}, the first is ${gaps[0]}`
  const allowGapsHint = 'add --allow-gaps if the service had no calls on these days.'
  return [
    source === 'service'
      ? { detail: `Calls may be missing on ${days}.`, fix: `Check the access logs of these days, and ${allowGapsHint}` }
      : { detail: `Calls may be missing on ${days}.`, fix: `Add the logs of these days, or ${allowGapsHint}` },
  ]
}

function startOf(text: string | undefined): number {
  return text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text)
}

/** The end of a day, or a time. */
function endOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  return Date.parse(text) + (text.includes('T') ? 0 : dayMs)
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '')
}
