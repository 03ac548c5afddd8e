/**
 * Ships lines as syslog messages over TCP or TLS. The protocol has no acknowledgement, so the end of a connection stands for
 * one: each portion has a connection of its own, and counts when the receiver has closed it in order, which it does after it
 * has read everything.
 */
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecure } from 'node:tls'
import type { ShipAddress, TlsFiles } from '../address.ts'
import { recordsOf } from '../record.ts'
import { type Destination, delivered, failed, type Origin, type Portion } from './destination.ts'
import { networkTrouble, tooSlow } from './network-error.ts'
import { frame } from './syslog-message.ts'

/** How long nothing may happen on a connection, in milliseconds. */
const timeoutMs = 60_000

/** What is written before it is asked whether there is room for more. */
const pieceSize = 64 * 1024

/** Between the last byte and the end, at least, in milliseconds. */
const shortestWait = 20

export interface SyslogOptions {
  readonly address: ShipAddress
  readonly tls: TlsFiles
  /** The facility's number; 16 is local0. */
  readonly facility: number
}

export function syslog({ address, tls, facility }: SyslogOptions, origin: Origin): Destination {
  const host = address.url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(address.url.port || (address.isSecure ? 443 : 80))
  const open = () =>
    address.isSecure
      ? connectSecure({ host, port, ...tls, ...(isName(host) && { servername: host }) })
      : connectPlain({ host, port })
  return {
    shown: address.shown,
    async send(portion, signal) {
      const begun = performance.now()
      const socket = open()
      try {
        await once(socket, address.isSecure ? 'secureConnect' : 'connect', { signal: within(signal) })
        await deliver(socket, messagesOf(portion, origin, facility), performance.now() - begun, signal)
        return delivered()
      } catch (error) {
        return failed(portion.lines, networkTrouble(address.shown, meaningOf(error as Error)))
      } finally {
        socket.on('error', () => undefined).destroy()
      }
    },
    close: () => undefined,
  }
}

function messagesOf({ lines }: Portion, origin: Origin, facility: number): readonly Buffer[] {
  const { service, instance } = origin
  const pieces: Buffer[] = []
  let text = ''
  for (const { severity, time, text: line } of recordsOf(lines)) {
    text += frame({ facility, severity, time, host: instance, application: service, text: line })
    if (text.length < pieceSize) continue
    pieces.push(Buffer.from(text))
    text = ''
  }
  return text === '' ? pieces : [...pieces, Buffer.from(text)]
}

/**
 * Writes everything, and resolves when the receiver has read it. A receiver that dies with bytes unread resets the connection;
 * one that ends before it was told that nothing follows has not read everything either.
 */
async function deliver(socket: Socket, pieces: readonly Buffer[], trip: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController()
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('end', resolve).once('error', reject)
    socket.once('close', () => reject(new Error('the connection was cut off')))
    socket.setTimeout(timeoutMs, () => reject(timeout()))
    signal.addEventListener('abort', () => reject(new Error('it was stopped')), { once: true })
  })
  const over = ended.then(
    () => early.abort(new Error('the connection was closed before everything was read')),
    (error: Error) => early.abort(error),
  )
  socket.resume()
  for (const piece of pieces) await written(socket, piece, early.signal)
  // What the system has taken is under way for some more trips: were it in flight when the receiver dies, an end in order
  // and a reset behind it would look like an end in order.
  await pause(Math.max(shortestWait, 4 * trip), undefined, { signal: early.signal }).catch(() => {
    throw early.signal.reason
  })
  socket.end()
  await ended
  await over
}

async function written(socket: Socket, piece: Buffer, early: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => reject(early.reason)
    if (early.aborted) return stop()
    early.addEventListener('abort', stop, { once: true })
    socket.write(piece, (error) => {
      early.removeEventListener('abort', stop)
      if (error) reject(error)
      else resolve()
    })
  })
}

function within(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

function timeout(): Error {
  return Object.assign(new Error(`nothing was read for ${timeoutMs / 1000} s`), { code: tooSlow })
}

/** An attempt that took too long to connect is as one that nobody answered. */
function meaningOf(error: Error): Error {
  return error.name === 'AbortError' ? new Error(`no connection within ${timeoutMs / 1000} s`) : error
}

/** Addresses are no names, and are not asked for as such. */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host)
}
