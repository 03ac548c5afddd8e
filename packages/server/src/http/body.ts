/** The body of a request, read whole from a stream. */
import type { Readable } from 'node:stream'
import type { RequestHead } from '../message/request-head.ts'

/** Whether the request has a body, however long. */
export function hasBody({ headers }: Pick<RequestHead, 'headers'>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** A rejected request with a body up to this size is read to its end, so that the connection can be used again. */
const smallBytes = 64 * 1024

/** Whether the body of a rejected request is too large to be read to its end. A chunked body may never end. */
export function hasLargeBody(request: RequestHead): boolean {
  return hasBody(request) && !(Number(request.headers['content-length']) <= smallBytes)
}

/** Whether a large body stays unread, because the method takes none. */
export function hasUnreadBody(request: RequestHead): boolean {
  return takesNoBody(request.method) && hasLargeBody(request)
}

/** A body of GET and HEAD is rejected without being read. */
export function takesNoBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether the declared size of a body exceeds the limit. */
export function isTooLong(headers: RequestHead['headers'], maxBytes: number): boolean {
  return Number(headers['content-length']) > maxBytes
}

const alreadyRead = 'The request body was already read. Mount the service before body parsers such as express.json().'

/** Calls `done` with the whole body, or with undefined as soon as it exceeds the limit. A body that ends too early is dropped. */
export function readStream(
  stream: Readable,
  { headers }: Pick<RequestHead, 'headers'>,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  if (stream.readableDidRead) throw new Error(alreadyRead)
  if (isTooLong(headers, maxBytes)) {
    done(undefined)
    return
  }
  const expectedSize = expectedBytes(headers)
  const chunks: Buffer[] = []
  let size = 0
  const addChunk = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size === expectedSize) return finish()
    if (size <= maxBytes) return
    release()
    done(undefined)
  }
  const finish = () => {
    release()
    done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  }
  const release = () => stream.off('data', addChunk).off('end', finish)
  stream.on('data', addChunk).on('end', finish)
}

/** The declared size. Once that many bytes have arrived, the body is complete, before the stream emits its end. */
function expectedBytes(headers: RequestHead['headers']): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
}
