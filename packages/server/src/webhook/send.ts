/** Sends one request to the target of a webhook. */
import type { Agent, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { deliveryTimeoutMs } from '../pipeline/consume/consumers.ts'
import { hostOf, lookupPublic, targetError } from './target.ts'

/** Loaded with the first request: an import statement of `node:http` loads `fetch` as well, which takes 75 ms of a start. */
function transport(protocol: string) {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
}

/** How much of a response is kept. */
const maxResponseBytes = 500

/** The outcome of one request, as the log of deliveries has it. */
export interface AttemptResult {
  readonly outcome: 'DELIVERED' | 'FAILED'
  readonly httpStatus: number | null
  readonly durationMs: number
  readonly response: string | null
  readonly error: string | null
}

export interface Delivery {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export type Send = (delivery: Delivery) => Promise<AttemptResult>

/** Connections are kept for the next deliveries. Redirects are not followed: they are failures. */
export function createSender(allowsPrivate: boolean): { readonly send: Send; close(): void } {
  const options = { keepAlive: true, ...(!allowsPrivate && { lookup: lookupPublic }) }
  const agents = new Map<string, Agent>()
  const agentFor = (protocol: string): Agent => {
    const { Agent } = transport(protocol)
    const agent = agents.get(protocol) ?? new Agent(options)
    agents.set(protocol, agent)
    return agent
  }
  const send: Send = async ({ url: text, headers, body }) => {
    const startMs = performance.now()
    const withDuration = (attempt: Omit<AttemptResult, 'durationMs'>) => ({
      ...attempt,
      durationMs: Math.round(performance.now() - startMs),
    })
    const targetFault = targetError(text, allowsPrivate)
    if (targetFault !== undefined) return withDuration(failedAttempt(targetFault))
    try {
      const url = new URL(text)
      const { status, response } = await post(url, agentFor(url.protocol), headers, body)
      const isDelivered = status >= 200 && status < 300
      return withDuration({
        outcome: isDelivered ? 'DELIVERED' : 'FAILED',
        httpStatus: status,
        response,
        error: isDelivered ? null : statusError(status),
      })
    } catch (error) {
      return withDuration(failedAttempt(errorText(error)))
    }
  }
  return {
    send,
    close: () => {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

function failedAttempt(error: string): Omit<AttemptResult, 'durationMs'> {
  return { outcome: 'FAILED', httpStatus: null, response: null, error }
}

function statusError(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? `The URL responded with a redirect (${status}), which is not followed.`
    : `The URL responded with status ${status}.`
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  if (error.name === 'TimeoutError') return `There was no response within ${deliveryTimeoutMs / 1000} seconds.`
  return error instanceof AggregateError ? error.errors.map(errorText).join('; ') : error.message
}

async function post(url: URL, agent: Agent, headers: Delivery['headers'], body: string) {
  const signal = AbortSignal.timeout(deliveryTimeoutMs)
  const { request } = transport(url.protocol)
  const length = { 'content-length': `${Buffer.byteLength(body)}` }
  // Certificates of an IP address have no server name.
  const tlsOptions = isIP(hostOf(url)) === 0 ? {} : { servername: '' }
  const outgoing = request(url, { method: 'POST', agent, signal, headers: { ...headers, ...length }, ...tlsOptions })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end(body)
  }).catch((error) => {
    throw signal.aborted ? signal.reason : error
  })
  return { status: response.statusCode ?? 0, response: await beginningOf(response) }
}

/** The beginning of the body. A body that breaks off has been received as far as it matters. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxResponseBytes) break
    }
  } catch {
    // The log shows the part that has arrived.
  }
  // PostgreSQL cannot store the character NUL.
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString().replaceAll('\0', '\uFFFD')
}
