/** The flags of `nomen serve` for limits: sizes, timeouts, rates, targets of webhooks and CORS origins. */
import type { RateLimit, Settings } from '@nomen/server'
import { originFault, readRateLimit } from '@nomen/server/internal'
import { type Arguments, type Flag, inGroup } from '../command.ts'
import { CommandError, invalidValue } from '../command-error.ts'
import { isOn } from './choice.ts'
import { wholeNumber } from './whole-number.ts'

export const limitFlags: readonly Flag[] = [
  ...inGroup('Limits', [
    {
      name: 'body-limit',
      environment: 'BODY_LIMIT',
      value: 'bytes',
      about: 'maximum size of a request body (default: 1048576)',
    },
    {
      name: 'list-limit',
      environment: 'LIST_LIMIT',
      value: 'bytes',
      about:
        'maximum size of the JSON of a list, before compression (default: 8388608); at most 2097152 for lists with computed fields',
    },
    {
      name: 'head-timeout',
      environment: 'HEAD_TIMEOUT',
      value: 'seconds',
      about: 'time to receive the request headers (default: 20)',
    },
    {
      name: 'request-timeout',
      environment: 'REQUEST_TIMEOUT',
      value: 'seconds',
      about: 'time to receive the whole request (default: 60)',
    },
    {
      name: 'idle-timeout',
      environment: 'IDLE_TIMEOUT',
      value: 'seconds',
      about:
        'time after which an idle connection, or one whose client does not read the response, is closed (default: 72)',
    },
    {
      name: 'stop-delay',
      environment: 'STOP_DELAY',
      value: 'seconds',
      about: 'keep serving for this long after a stop signal, while /health/ready returns 503 (default: 0)',
    },
    {
      name: 'wait-limit',
      environment: 'WAIT_LIMIT',
      value: 'ms',
      about:
        'reject a new request with 503 if it would probably wait longer than this; 0 never rejects (default: 2000)',
    },
    {
      name: 'rate-limit',
      environment: 'RATE_LIMIT',
      value: 'number/unit',
      about: 'maximum rate per user or client IP address, such as 100/s, 6000/m, 50000/h (default: unlimited)',
    },
    {
      name: 'follower-limit',
      environment: 'FOLLOWER_LIMIT',
      value: 'number',
      about:
        'maximum number of open event streams and long-polling requests for changes in one process, per user or client IP address (default: 100)',
    },
  ]),
  ...inGroup('Webhooks', [
    {
      name: 'webhook-private-targets',
      environment: 'WEBHOOK_PRIVATE_TARGETS',
      value: 'on or off',
      about: 'allow webhooks to private, loopback and link-local addresses, and without TLS (default: off)',
    },
    {
      name: 'webhook-limit',
      environment: 'WEBHOOK_LIMIT',
      value: 'number',
      about: 'maximum number of webhooks, per tenant if there are tenants (default: 1000)',
    },
    {
      name: 'webhook-stop-days',
      environment: 'WEBHOOK_STOP_DAYS',
      value: 'days',
      about: 'stop a webhook when its deliveries have failed for this number of days (default: 3)',
    },
  ]),
  ...inGroup('HTTP', [
    {
      name: 'cors-origin',
      environment: 'CORS_ORIGIN',
      value: 'origins',
      about:
        'origins whose pages may call the service, comma-separated: https://app.example.com; * allows any (default: none)',
    },
  ]),
]

type Limits = Pick<
  Settings,
  | 'bodyLimit'
  | 'listLimit'
  | 'timeouts'
  | 'stopDelayMs'
  | 'waitLimitMs'
  | 'rateLimit'
  | 'followerLimit'
  | 'webhookPrivateTargets'
  | 'webhookLimit'
  | 'webhookStopDays'
  | 'corsOrigins'
>

export function readLimits(args: Arguments): Limits {
  const seconds = (flag: string, defaultSeconds: number) => wholeNumber(args, flag, defaultSeconds, [1, 86_400]) * 1000
  const corsOrigins = readOrigins(args)
  const rateLimit = readRate(args)
  return {
    bodyLimit: wholeNumber(args, 'body-limit', 1024 * 1024, [1, Number.MAX_SAFE_INTEGER]),
    listLimit: wholeNumber(args, 'list-limit', 8 * 1024 * 1024, [1024, 512 * 1024 * 1024]),
    timeouts: {
      headMs: seconds('head-timeout', 20),
      requestMs: seconds('request-timeout', 60),
      idleMs: seconds('idle-timeout', 72),
    },
    stopDelayMs: wholeNumber(args, 'stop-delay', 0, [0, 3600]) * 1000,
    waitLimitMs: wholeNumber(args, 'wait-limit', 2000, [0, 60_000]),
    followerLimit: wholeNumber(args, 'follower-limit', 100, [1, 1_000_000]),
    webhookPrivateTargets: isOn(args, 'webhook-private-targets', 'off'),
    webhookLimit: wholeNumber(args, 'webhook-limit', 1000, [0, 100_000]),
    webhookStopDays: wholeNumber(args, 'webhook-stop-days', 3, [1, 365]),
    ...(corsOrigins && { corsOrigins }),
    ...(rateLimit && { rateLimit }),
  }
}

/** The rate limit; undefined if it is not set. */
export function readRate(args: Arguments): RateLimit | undefined {
  const text = args.text('rate-limit')
  const limit = text === undefined ? undefined : readRateLimit(text)
  if (text === undefined || limit) return limit
  throw invalidValue(args.source('rate-limit'), text, 'a rate such as 100/s, 6000/m or 50000/h')
}

function readOrigins(args: Arguments): readonly string[] | undefined {
  const origins = args.text('cors-origin')?.split(/\s*,\s*/)
  for (const origin of origins ?? []) {
    const fault = originFault(origin)
    if (fault)
      throw new CommandError(`${args.source('cors-origin')}: ${fault}`, 'Separate several origins with commas.')
  }
  return origins
}
