/** The report that a running service makes of its own usage. */
import type { UsageReport } from '@nomen/core/usage'
import { CommandError } from '../command-error.ts'
import { type AskedSpan, daysOf } from './asked-span.ts'

export interface ServiceUsageOptions {
  readonly quietAfter: number
  readonly span: AskedSpan | undefined
  /** Sent as a bearer token. */
  readonly token: string | undefined
}

export function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word)
}

/** Asks the service whose paths stand below an address. */
export async function serviceUsage(
  base: string,
  { quietAfter, span, token }: ServiceUsageOptions,
): Promise<UsageReport> {
  const url = urlOf(base, { quietAfter: `${quietAfter}`, ...daysOf(span) })
  const headers = { 'user-agent': 'nomen-usage', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url, { headers }).catch((error: Error & { readonly cause?: Error }) => {
    const reason = error.cause?.message || error.message
    throw new CommandError(`Nothing answers at ${base}: ${reason}.`, 'Start the service, or name another address.', 1)
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && isReport(body)) return body
  throw new CommandError(
    answer.ok ? `${url.origin}${url.pathname} is no report of usage.` : refusalOf(url, answer.status, body),
    mendOf(answer.status),
    1,
  )
}

function urlOf(base: string, parameters: Readonly<Record<string, string>>): URL {
  try {
    const url = new URL(base)
    // A service may be mounted below a path.
    url.pathname = `${url.pathname.replace(/\/(usage\/?)?$/, '')}/usage`
    url.search = `${new URLSearchParams(parameters)}`
    return url
  } catch {
    throw new CommandError(`"${base}" is no address.`, 'Name one such as http://localhost:3000.')
  }
}

function isReport(body: unknown): body is UsageReport {
  return typeof body === 'object' && body !== null && 'endpoints' in body && Array.isArray(body.endpoints)
}

function refusalOf({ origin, pathname }: URL, status: number, body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? ` ${body.detail}` : ''
  return `${origin}${pathname} answers ${status}.${detail}`
}

function mendOf(status: number): string {
  if (status === 401 || status === 403) return 'Give a token with the scope usage:read: --token, or USAGE_TOKEN.'
  if (status === 404)
    return 'Name the address that the service stands at; one that is served with --usage off has none.'
  return 'Name the address of a service, such as http://localhost:3000.'
}
