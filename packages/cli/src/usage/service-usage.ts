/** Requests the usage report of a running service. */
import type { UsageReport } from '@nomen/core/usage'
import { CommandError } from '../command-error.ts'
import { periodQuery, type RequestedPeriod } from './requested-period.ts'

export interface ServiceUsageOptions {
  readonly quietAfter: number
  readonly period: RequestedPeriod | undefined
  /** Sent as a bearer token. */
  readonly token: string | undefined
}

/** Requests `/usage` below the base URL of a service. */
export async function serviceUsage(
  base: string,
  { quietAfter, period, token }: ServiceUsageOptions,
): Promise<UsageReport> {
  const url = urlOf(base, { quietAfter: `${quietAfter}`, ...periodQuery(period) })
  const headers = { 'user-agent': 'nomen-usage', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { headers }).catch((error: Error & { readonly cause?: Error }) => {
    const reason = error.cause?.message || error.message
    throw new CommandError(`No response from ${base}: ${reason}.`, 'Start the service, or give another URL.', 1)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && isReport(body)) return body
  throw new CommandError(
    response.ok ? `${url.origin}${url.pathname} is not a usage report.` : responseText(url, response.status, body),
    fixOf(response.status),
    1,
  )
}

function urlOf(base: string, parameters: Readonly<Record<string, string>>): URL {
  try {
    const url = new URL(base)
    // The base URL may have a path.
    url.pathname = `${url.pathname.replace(/\/(usage\/?)?$/, '')}/usage`
    url.search = `${new URLSearchParams(parameters)}`
    return url
  } catch {
    throw new CommandError(`"${base}" is not a URL.`, 'Use a URL such as http://localhost:3000.')
  }
}

function isReport(body: unknown): body is UsageReport {
  return typeof body === 'object' && body !== null && 'endpoints' in body && Array.isArray(body.endpoints)
}

function responseText({ origin, pathname }: URL, status: number, body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? ` ${body.detail}` : ''
  return `${origin}${pathname} returned ${status}.${detail}`
}

function fixOf(status: number): string {
  if (status === 401 || status === 403) return 'Set --token or USAGE_TOKEN to a token with the scope usage:read.'
  if (status === 404) return 'Use the base URL of the service. A service that runs with --usage off has no report.'
  return 'Use the URL of a service, such as http://localhost:3000.'
}
