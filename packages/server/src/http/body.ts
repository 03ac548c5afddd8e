/** The body of a request, read whole. */
import type { IncomingMessage } from 'node:http'
import { ProblemError, problem } from '@nomen/core'

/** Whether there is a body to read, however long it is. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** What is rather read to its end than the connection closed, in bytes, when a request is refused before its body is. */
const smallBody = 64 * 1024

/** Whether there is a body that is not worth waiting for, or may never end. */
export function isLarge(request: IncomingMessage): boolean {
  return hasBody(request) && !(Number(request.headers['content-length']) <= smallBody)
}

/** Whether there is a large body that is refused without being read, as a GET takes none. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return isBodiless(request.method) && isLarge(request)
}

export function isBodiless(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Gives the body to `done` when all of it is there, or a problem as soon as it is too large. A broken one is not given. */
export function readBody(request: IncomingMessage, limit: number, done: (body: Buffer | ProblemError) => void): void {
  if (Number(request.headers['content-length']) > limit) {
    done(tooLarge(limit))
    return
  }
  const whole = wholeSize(request)
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size === whole) return finish()
    if (size <= limit) return
    release()
    done(tooLarge(limit))
  }
  const finish = () => {
    release()
    done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  }
  const release = () => request.off('data', take).off('end', finish)
  request.on('data', take).on('end', finish)
}

/** The size that a body is said to have: its end is known when so much of it is there, before the connection tells. */
function wholeSize({ headers }: IncomingMessage): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
}

export function tooLarge(limit: number): ProblemError {
  return new ProblemError(
    problem('body-too-large', {
      detail: `The body is over ${limit} bytes.`,
      hint: 'Send less at a time.',
    }),
  )
}
