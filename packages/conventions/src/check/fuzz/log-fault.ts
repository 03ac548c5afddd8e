/** Checks that an access log has one line for each malformed request, identified by the client port. */
import { parseLine } from '@nomen/core'
import { userAgent as checkUserAgent } from '../request/sender.ts'
import type { Exchange } from './raw-connection.ts'
import type { WireRequest } from './wire-request.ts'
import { closesConnection } from './wire-response.ts'

export interface LogFault {
  readonly actual: string
  /** A request without a line, or else one of the same connection. */
  readonly request: WireRequest
}

/** The first connection whose lines do not match its responses; undefined if all match. */
export function logFault(lines: readonly string[], exchanges: readonly Exchange[]): LogFault | undefined {
  const statuses = new Map<number, number[]>()
  for (const line of lines) {
    const entry = parseLine(line)
    if (entry?.port === undefined || entry.userAgent === checkUserAgent) continue
    statuses.set(entry.port, [...(statuses.get(entry.port) ?? []), entry.status])
  }
  for (const [port, exchangesOfPort] of Map.groupBy(exchanges, (exchange) => exchange.port)) {
    if (port === 0) continue
    const received = exchangesOfPort.flatMap(({ responses }) => responses.map(({ status }) => status)).sort()
    const logged = (statuses.get(port) ?? []).sort()
    const uncertainCount = exchangesOfPort.filter(mayHaveMore).length
    const surplus = without(logged, received)
    const missing = without(received, logged)
    if (missing.length === 0 && surplus.length <= uncertainCount) continue
    const isMissing = ({ responses }: Exchange) => responses.some(({ status }) => missing.includes(status))
    const { request } = exchangesOfPort.find(isMissing) ?? (exchangesOfPort[0] as Exchange)
    const difference = `of ${received.length} responses to port ${port}, the log lacks ${statusList(missing)}; not sent, but in the log: ${statusList(surplus)}`
    return { actual: `${difference}, perhaps after a request with ${request.mutations.join(' and ')}`, request }
  }
  return undefined
}

/** If the client disconnects first, the service may have logged another request. */
function mayHaveMore({ request: { mode }, responses, failure }: Exchange): boolean {
  const isClosed = closesConnection(responses.at(-1))
  return mode === 'aborted' || failure !== undefined || ((mode === 'separate' || mode === 'half-closed') && !isClosed)
}

function without(values: readonly number[], removed: readonly number[]): number[] {
  const remaining = [...removed]
  return values.filter((status) => {
    const index = remaining.indexOf(status)
    if (index >= 0) remaining.splice(index, 1)
    return index < 0
  })
}

function statusList(statuses: readonly number[]): string {
  return statuses.length === 0 ? 'none' : `status ${statuses.slice(0, 12).join(', ')}`
}
