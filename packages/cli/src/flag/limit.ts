/** The flags of `nomen serve` that say what clients may do to a service: how slow, how much, from which pages. */
import type { RateLimit, Settings } from '@nomen/server'
import { originFault, readRateLimit } from '@nomen/server/internal'
import type { Arguments, Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { wholeNumber } from './whole-number.ts'

export const limitFlags: readonly Flag[] = [
  { name: 'body-limit', environment: 'BODY_LIMIT', value: 'bytes', about: 'largest body taken, 1048576 unless given' },
  {
    name: 'list-limit',
    environment: 'LIST_LIMIT',
    value: 'bytes',
    about: 'most JSON that the records of one list may be (default: 8388608)',
  },
  {
    name: 'head-timeout',
    environment: 'HEAD_TIMEOUT',
    value: 'seconds',
    about: 'until the head of a request must be there, 20 unless given',
  },
  {
    name: 'request-timeout',
    environment: 'REQUEST_TIMEOUT',
    value: 'seconds',
    about: 'until all of a request must be there, 60 unless given',
  },
  {
    name: 'idle-timeout',
    environment: 'IDLE_TIMEOUT',
    value: 'seconds',
    about: 'for how long a connection may be idle, or an answer not be taken, 72 unless given',
  },
  {
    name: 'stop-delay',
    environment: 'STOP_DELAY',
    value: 'seconds',
    about: 'for how long a service that is told to stop goes on serving, while /health/ready is 503; 0 unless given',
  },
  {
    name: 'wait-limit',
    environment: 'WAIT_LIMIT',
    value: 'ms',
    about: 'requests that come while others have waited for longer are answered 503; 2000 unless given, 0 for never',
  },
  {
    name: 'rate-limit',
    environment: 'RATE_LIMIT',
    value: 'number/unit',
    about: 'requests of one user, or of one address, such as 100/s, 6000/m, 50000/h; any number unless given',
  },
  {
    name: 'cors-origin',
    environment: 'CORS_ORIGIN',
    value: 'origins',
    about:
      'whose pages may call from a browser: https://app.example.com, several with commas, * for any; none unless given',
  },
]

type Limits = Pick<
  Settings,
  'bodyLimit' | 'listLimit' | 'timeouts' | 'stopDelay' | 'waitLimit' | 'rateLimit' | 'corsOrigins'
>

export function readLimits(args: Arguments): Limits {
  const seconds = (flag: string, usual: number) => wholeNumber(args, flag, usual, [1, 86_400]) * 1000
  const corsOrigins = readOrigins(args)
  const rateLimit = readRate(args)
  return {
    bodyLimit: wholeNumber(args, 'body-limit', 1024 * 1024, [1, Number.MAX_SAFE_INTEGER]),
    listLimit: wholeNumber(args, 'list-limit', 8 * 1024 * 1024, [1024, 512 * 1024 * 1024]),
    timeouts: {
      head: seconds('head-timeout', 20),
      request: seconds('request-timeout', 60),
      idle: seconds('idle-timeout', 72),
    },
    stopDelay: wholeNumber(args, 'stop-delay', 0, [0, 3600]) * 1000,
    waitLimit: wholeNumber(args, 'wait-limit', 2000, [0, 60_000]),
    ...(corsOrigins && { corsOrigins }),
    ...(rateLimit && { rateLimit }),
  }
}

/** Undefined where none is given. */
export function readRate(args: Arguments): RateLimit | undefined {
  const text = args.text('rate-limit')
  const limit = text === undefined ? undefined : readRateLimit(text)
  if (text === undefined || limit) return limit
  throw new CommandError(`${args.source('rate-limit')} is "${text}".`, 'Give it as 100/s, 6000/m or 50000/h.')
}

function readOrigins(args: Arguments): readonly string[] | undefined {
  const origins = args.text('cors-origin')?.split(/\s*,\s*/)
  for (const origin of origins ?? []) {
    const fault = originFault(origin)
    if (fault) throw new CommandError(`${args.source('cors-origin')}: ${fault}`, 'Several have commas between them.')
  }
  return origins
}
