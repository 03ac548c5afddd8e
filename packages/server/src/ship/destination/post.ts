/** Sends bodies over HTTP, and says in plain words what stood in the way. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { TlsFiles } from '../address.ts'
import type { Trouble } from './destination.ts'
import { networkTrouble, tooSlow } from './network-error.ts'

const compress = promisify(gzip)

/** How long nothing may happen on a connection, in milliseconds. */
const timeoutMs = 60_000

/** Of a longer answer the rest is not read. */
const longestAnswer = 8 * 1024 * 1024

/** What is waited for at most, whatever is asked for, in milliseconds. */
const longestWait = 3_600_000

export interface PostOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsFiles
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** One address that bodies are posted to, over connections that are kept. */
export class Post {
  readonly #options: PostOptions
  readonly #agent: HttpAgent | HttpsAgent

  constructor(options: PostOptions) {
    this.#options = options
    const kept = { keepAlive: true, maxSockets: 1 }
    this.#agent = options.url.protocol === 'https:' ? new HttpsAgent({ ...kept, ...options.tls }) : new HttpAgent(kept)
  }

  /** The answer where the body was taken (2xx); what stood in the way otherwise. Never rejects. */
  async send(body: string, type: string, signal: AbortSignal): Promise<Answer | Trouble> {
    const { url } = this.#options
    const where = `${url.protocol}//${url.host}`
    try {
      const packed = await compress(body, { level: constants.Z_BEST_SPEED })
      const answer = await this.#exchange(packed, type, signal)
      const text = await textOf(answer)
      const status = answer.statusCode ?? 0
      return status >= 200 && status < 300 ? { status, text } : statusTrouble(where, answer, text)
    } catch (error) {
      return networkTrouble(where, error as Error)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange(body: Buffer, type: string, signal: AbortSignal): Promise<IncomingMessage> {
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
        request.destroy(Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: tooSlow }))
      })
      request.on('response', resolve).on('error', reject).end(body)
    })
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    if (length < longestAnswer) parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts).toString('utf8')
}

/** What each status means for lines that are to arrive whatever it takes. */
function statusTrouble(where: string, { statusCode = 0, headers }: IncomingMessage, text: string): Trouble {
  const said = text.trim() === '' ? '' : `: ${shortened(text)}`
  const reason = `${where} answers ${statusCode}${said}`
  if (statusCode === 413) return { kind: 'too large', reason }
  const isForLater = statusCode === 408 || statusCode === 425 || statusCode === 429 || statusCode >= 500
  if (!isForLater) return { kind: 'refused', reason: `${reason}${hints[statusCode] ?? ''}` }
  const after = waitOf(headers['retry-after'])
  return { kind: 'away', reason, ...(after !== undefined && { after }) }
}

const hints: Readonly<Record<number, string>> = {
  301: '. Name the address that it points to.',
  302: '. Name the address that it points to.',
  307: '. Name the address that it points to.',
  308: '. Name the address that it points to.',
  401: '. Give a user and a password in the address, or a header in SHIP_HEADERS.',
  403: '. Those who send may not write there: change their rights, or send as somebody else.',
  404: '. Fix the path of the address.',
}

/** Retry-After in milliseconds: seconds, or a moment. */
function waitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWait)
}

/** The beginning of what was said, in one line. */
export function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
