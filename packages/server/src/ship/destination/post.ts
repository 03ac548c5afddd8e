/** Sends bodies with HTTP POST, and classifies errors. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { TlsFiles } from '../destination-url.ts'
import type { DeliveryFailure } from './destination.ts'
import { networkFailure, tooSlowCode } from './network-failure.ts'

const compress = promisify(gzip)

/** The idle timeout of a connection. */
const timeoutMs = 60_000

/** The maximum size of a response; the rest is discarded. */
const maxResponseBytes = 8 * 1024 * 1024

/** The maximum wait, even if Retry-After demands more. */
const maxRetryAfterMs = 3_600_000

export interface PostOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsFiles
}

export interface PostResponse {
  readonly status: number
  readonly text: string
}

/** Posts bodies to one URL over a keep-alive connection. */
export class Post {
  readonly #options: PostOptions
  readonly #agent: HttpAgent | HttpsAgent

  constructor(options: PostOptions) {
    this.#options = options
    const agentOptions = { keepAlive: true, maxSockets: 1 }
    this.#agent =
      options.url.protocol === 'https:'
        ? new HttpsAgent({ ...agentOptions, ...options.tls })
        : new HttpAgent(agentOptions)
  }

  /** Returns the response if its status is 2xx, otherwise the failure. It never rejects. */
  async send(body: string, type: string, signal: AbortSignal): Promise<PostResponse | DeliveryFailure> {
    const { url } = this.#options
    const server = `${url.protocol}//${url.host}`
    try {
      const compressed = await compress(body, { level: constants.Z_BEST_SPEED })
      const response = await this.#request(compressed, type, signal)
      const text = await textOf(response)
      const status = response.statusCode ?? 0
      return status >= 200 && status < 300 ? { status, text } : statusFailure(server, response, text)
    } catch (error) {
      return networkFailure(server, error as Error)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #request(body: Buffer, type: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, headers } = this.#options
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method: 'POST',
        agent: this.#agent,
        signal,
        headers: {
          accept: 'application/json',
          ...headers,
          'content-type': type,
          'content-encoding': 'gzip',
          'content-length': body.length,
        },
      })
      request.setTimeout(timeoutMs, () => {
        request.destroy(Object.assign(new Error(`no response within ${timeoutMs / 1000} s`), { code: tooSlowCode }))
      })
      request.on('response', resolve).on('error', reject).end(body)
    })
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (length < maxResponseBytes) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Classifies a status: retry soon, send less, or wait until the settings are changed. */
function statusFailure(server: string, { statusCode = 0, headers }: IncomingMessage, text: string): DeliveryFailure {
  const message = text.trim() === '' ? '' : `: ${shortened(text)}`
  const reason = `${server} responded with ${statusCode}${message}`
  if (statusCode === 413) return { kind: 'too large', reason }
  const isTemporary = statusCode === 408 || statusCode === 425 || statusCode === 429 || statusCode >= 500
  if (!isTemporary) return { kind: 'rejected', reason: `${reason}${hints[statusCode] ?? ''}` }
  const demandedMs = retryAfterMs(headers['retry-after'])
  return { kind: 'unavailable', reason, ...(demandedMs !== undefined && { retryAfterMs: demandedMs }) }
}

const hints: Readonly<Record<number, string>> = {
  301: '. Use the URL that it redirects to.',
  302: '. Use the URL that it redirects to.',
  307: '. Use the URL that it redirects to.',
  308: '. Use the URL that it redirects to.',
  401: '. Set a user and a password in the URL, or a header in SHIP_HEADERS.',
  403: '. Allow this user to write, or use another user.',
  404: '. Check the path of the URL.',
}

/** Reads Retry-After, which has seconds or a date, as milliseconds. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), maxRetryAfterMs)
}

/** The start of a string, on one line. */
export function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
