/** What an access log must hold of bent requests: one line each, known by the port that it came from. */
import { parseLine } from '@nomen/core'
import { userAgent as ofCheck } from '../request/sender.ts'
import type { Exchange } from './wire.ts'
import type { WireRequest } from './wire-request.ts'

export interface LogFault {
  readonly actual: string
  /** One whose line is missing, or else one of the same connection. */
  readonly request: WireRequest
}

/** The first connection whose lines are not those of its answers; undefined where all are. */
export function logFault(lines: readonly string[], exchanges: readonly Exchange[]): LogFault | undefined {
  const found = new Map<number, number[]>()
  for (const line of lines) {
    const entry = parseLine(line)
    if (entry?.port === undefined || entry.userAgent === ofCheck) continue
    found.set(entry.port, [...(found.get(entry.port) ?? []), entry.status])
  }
  for (const [port, sent] of Map.groupBy(exchanges, (exchange) => exchange.port)) {
    if (port === 0) continue
    const answered = sent.flatMap(({ answers }) => answers.map(({ status }) => status)).sort()
    const noted = (found.get(port) ?? []).sort()
    const left = sent.filter(mayHaveMore).length
    const surplus = without(noted, answered)
    const missing = without(answered, noted)
    if (missing.length === 0 && surplus.length <= left) continue
    const isMissing = ({ answers }: Exchange) => answers.some(({ status }) => missing.includes(status))
    const { request } = sent.find(isMissing) ?? (sent[0] as Exchange)
    const what = `of ${answered.length} answers to port ${port} the log lacks ${told(missing)}, and has ${told(surplus)} more`
    return { actual: `${what}, perhaps after a request with ${request.tricks.join(' and ')}`, request }
  }
  return undefined
}

/** Whoever leaves before the service closes the connection may have asked for something more. */
function mayHaveMore({ request: { manner }, answers, silence }: Exchange): boolean {
  const isClosed = answers.at(-1)?.headers.get('connection') === 'close'
  return manner === 'left' || silence !== undefined || ((manner === 'own' || manner === 'cut') && !isClosed)
}

function without(given: readonly number[], taken: readonly number[]): number[] {
  const rest = [...taken]
  return given.filter((one) => {
    const at = rest.indexOf(one)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

function told(statuses: readonly number[]): string {
  return statuses.length === 0 ? 'none' : `status ${statuses.slice(0, 12).join(', ')}`
}
