/**
 * Ships lines as syslog messages over TCP or TLS. The protocol has no acknowledgment, so the orderly close of a connection
 * counts as one: each portion has its own connection, and the receiver closes it after it has read everything.
 */
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecure } from 'node:tls'
import type { DestinationUrl, TlsFiles } from '../destination-url.ts'
import { recordsOf } from '../record.ts'
import { type Destination, failedDelivery, type LogOrigin, type Portion, successfulDelivery } from './destination.ts'
import { networkFailure, tooSlowCode } from './network-failure.ts'
import { frame } from './syslog-message.ts'

/** The timeout for connecting, and the idle timeout of a connection. */
const timeoutMs = 60_000

/** The size of one write, after which backpressure is checked. */
const chunkLength = 64 * 1024

/** The minimum wait between the last byte and the end of the connection. */
const minEndDelayMs = 20

export interface SyslogOptions {
  readonly destinationUrl: DestinationUrl
  readonly tls: TlsFiles
  /** The facility's number; 16 is local0. */
  readonly facility: number
}

export function syslog({ destinationUrl, tls, facility }: SyslogOptions, origin: LogOrigin): Destination {
  const host = destinationUrl.url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(destinationUrl.url.port || (destinationUrl.isSecure ? 443 : 80))
  const open = () =>
    destinationUrl.isSecure
      ? connectSecure({ host, port, ...tls, ...(isHostName(host) && { servername: host }) })
      : connectPlain({ host, port })
  return {
    redactedUrl: destinationUrl.redactedUrl,
    async send(portion, signal) {
      const startedAt = performance.now()
      const socket = open()
      try {
        await once(socket, destinationUrl.isSecure ? 'secureConnect' : 'connect', { signal: withTimeout(signal) })
        await deliver(socket, messagesOf(portion, origin, facility), performance.now() - startedAt, signal)
        return successfulDelivery()
      } catch (error) {
        return failedDelivery(portion.lines, networkFailure(destinationUrl.redactedUrl, withReason(error as Error)))
      } finally {
        socket.on('error', () => undefined).destroy()
      }
    },
    close: () => undefined,
  }
}

function messagesOf({ lines }: Portion, origin: LogOrigin, facility: number): readonly Buffer[] {
  const { service, instance } = origin
  const chunks: Buffer[] = []
  let text = ''
  for (const { severity, time, text: line } of recordsOf(lines)) {
    text += frame({ facility, severity, time, host: instance, application: service, text: line })
    if (text.length < chunkLength) continue
    chunks.push(Buffer.from(text))
    text = ''
  }
  return text === '' ? chunks : [...chunks, Buffer.from(text)]
}

/**
 * Writes everything, and resolves when the receiver has read it. A receiver that crashes with unread bytes resets the
 * connection. A receiver that closes it before our end has not read everything either.
 */
async function deliver(
  socket: Socket,
  chunks: readonly Buffer[],
  roundTripMs: number,
  signal: AbortSignal,
): Promise<void> {
  const earlyEnd = new AbortController()
  const connectionEnd = new Promise<void>((resolve, reject) => {
    socket.once('end', resolve).once('error', reject)
    socket.once('close', () => reject(new Error('the connection was cut off')))
    socket.setTimeout(timeoutMs, () => reject(timeoutError()))
    signal.addEventListener('abort', () => reject(new Error('it was stopped')), { once: true })
  })
  const endNoticed = connectionEnd.then(
    () => earlyEnd.abort(new Error('the connection was closed before everything was read')),
    (error: Error) => earlyEnd.abort(error),
  )
  socket.resume()
  for (const chunk of chunks) await write(socket, chunk, earlyEnd.signal)
  // Bytes may still be in flight. If the receiver crashed now, its close and a later reset would look like an orderly close.
  await pause(Math.max(minEndDelayMs, 4 * roundTripMs), undefined, { signal: earlyEnd.signal }).catch(() => {
    throw earlyEnd.signal.reason
  })
  socket.end()
  await connectionEnd
  await endNoticed
}

async function write(socket: Socket, chunk: Buffer, earlyEnd: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => reject(earlyEnd.reason)
    if (earlyEnd.aborted) return stop()
    earlyEnd.addEventListener('abort', stop, { once: true })
    socket.write(chunk, (error) => {
      earlyEnd.removeEventListener('abort', stop)
      if (error) reject(error)
      else resolve()
    })
  })
}

function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

function timeoutError(): Error {
  return Object.assign(new Error(`nothing was read for ${timeoutMs / 1000} s`), { code: tooSlowCode })
}

/** The message of a connection timeout, which has the unhelpful error AbortError. */
function withReason(error: Error): Error {
  return error.name === 'AbortError' ? new Error(`no connection within ${timeoutMs / 1000} s`) : error
}

/** SNI is sent for host names only, not for IP addresses. */
function isHostName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host)
}
