import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificate, privateKey } from '@nomen/testing/certificate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RawConnection } from './raw-connection.ts'
import type { SendMode, WireRequest } from './wire-request.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

function request(mode: SendMode): WireRequest {
  const headers = [['host', 'localhost']] as const
  return { method: 'GET', path: '/', query: [], headers, mode, subject: 'GET /', mutations: [] }
}

/** Listens until the end of the test, and returns the port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function connection(base: string, timeoutMs: number): RawConnection {
  const opened = new RawConnection(base, timeoutMs)
  onTestFinished(() => opened.close())
  return opened
}

/** This process trusts the certificate until the end of the test. */
function trustCertificate(): void {
  const previous = getCACertificates('default')
  setDefaultCACertificates([...previous, certificate])
  onTestFinished(() => setDefaultCACertificates(previous))
}

describe('RawConnection', () => {
  it('aborts a request over TLS, and sends the next one', async () => {
    trustCertificate()
    const server = createTlsServer({ cert: certificate, key: privateKey }, (socket) => {
      // The other half of the request never comes.
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          if (chunk.toString().endsWith('\r\n\r\n')) socket.write(ok)
        })
    })
    const raw = connection(`https://localhost:${await listen(server)}`, 20_000)
    await expect(raw.send(request('aborted'))).resolves.toMatchObject({ responses: [] })
    await expect(raw.send(request('plain'))).resolves.toMatchObject({ responses: [{ status: 200 }] })
  })

  it.each(['plain', 'slow'] as const)('repeats a %s request if the service has closed the connection', async (mode) => {
    const server = createServer((socket) => {
      let text = ''
      let hasResponded = false
      socket.on('data', (chunk) => {
        if (hasResponded) socket.destroy()
        text += chunk
        if (!text.endsWith('\r\n\r\n')) return
        hasResponded = true
        socket.write(ok)
      })
    })
    const raw = connection(`http://127.0.0.1:${await listen(server)}`, 20_000)
    await raw.send(request('plain'))
    const exchange = await raw.send(request(mode))
    expect(exchange).toMatchObject({ responses: [{ status: 200 }] })
    expect(exchange.failure).toBeUndefined()
  })

  it('skips the interim response before each response', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok}`.repeat(2)))
    })
    const raw = connection(`http://127.0.0.1:${await listen(server)}`, 1000)
    const { responses, failure } = await raw.send(request('twice'))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(failure).toBeUndefined()
  })

  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n'
  const encoded = (coding: string) => `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: 2\r\n\r\nok`

  it.each([
    ['a body with trailer fields', `${chunked}x-checksum: 1\r\n\r\n`, undefined],
    [
      'a chunk that is longer than its size',
      chunked.replace('ok', 'okay'),
      'the response is not valid HTTP: a chunk has no end',
    ],
    [
      'a size that is not a number',
      chunked.replace('2\r', '2x\r'),
      'the response is not valid HTTP: a chunk has no size',
    ],
    ['an invalid gzip body', encoded('gzip'), 'the response is not valid HTTP: the body is not valid gzip'],
  ])('reads %s', async (_, text, expectedFailure) => {
    const server = createServer((socket) => void socket.once('data', () => socket.write(text)))
    const raw = connection(`http://127.0.0.1:${await listen(server)}`, 1000)
    const { responses, failure } = await raw.send(request('plain'))
    expect(failure).toBe(expectedFailure)
    expect(responses.map((response) => response.text)).toEqual(expectedFailure === undefined ? ['ok'] : [])
  })

  it('accepts the announcement of a closed connection in any case', async () => {
    const closing = ok.replace('\r\n', '\r\nConnection: Close\r\n')
    const server = createServer((socket) => void socket.once('data', () => socket.end(closing)))
    const raw = connection(`http://127.0.0.1:${await listen(server)}`, 1000)
    const { responses, failure } = await raw.send(request('twice'))
    expect(responses).toHaveLength(1)
    expect(failure).toBeUndefined()
  })

  it('fails if the connection is not established in time', async () => {
    // A server that accepts the connection, but never responds to the TLS handshake.
    const raw = connection(`https://localhost:${await listen(createServer())}`, 50)
    const { failure } = await raw.send(request('plain'))
    expect(failure).toBe('the service accepts no connection: no connection within 0.05 s')
  })
})
