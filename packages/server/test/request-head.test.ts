// Raw requests: whole URLs as target, clients that wait for 100 Continue, and the type of problem documents.
import { once } from 'node:events'
import { connect } from 'node:net'
import { identity, noun, resource, text } from '@nomen/core'
import type { OpenService } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { openNotes, providedOnce } from './issued.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** Sends a head, and the body once the service asks for it; returns all bytes until the connection is closed. */
async function exchange(app: OpenService, head: readonly string[], body = ''): Promise<string> {
  const base = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(base.port), base.hostname)
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    if (received === '' && chunk.toString().startsWith('HTTP/1.1 100 ')) socket.write(body)
    received += chunk
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return received
}

const statuses = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.map(Number)
const codeOf = (received: string) => /"code":"([^"]*)"/.exec(received)?.[1]

describe('a target with a whole URL', () => {
  const get = async (target: string, host: string, isLocalOnly = true) => {
    const { app } = await openService(notes, { isLocalOnly })
    const received = await exchange(app, [`GET ${target} HTTP/1.1`, host, 'Connection: close'])
    return [statuses(received), codeOf(received)]
  }

  it.each([
    'http://localhost/note',
    'http://127.0.0.1:3000/note',
    'HTTP://LOCALHOST/note?pageSize=1',
    'https://[::1]/note',
  ])('is served by its own host, and the Host header is ignored: %s', async (target) => {
    expect(await get(target, 'Host: localhost')).toEqual([[200], undefined])
    expect(await get(target, 'Host: evil.example')).toEqual([[200], undefined])
  })

  it.each([
    'http://evil.example/note',
    'http://evil.example:80/note',
    'http://localhost.evil.example/note',
    'http://localhost@evil.example/note',
    'http://evil.example?/note',
  ])('is rejected by a local service if it names another host: %s', async (target) => {
    expect(await get(target, 'Host: localhost')).toEqual([[403], 'foreign-host'])
  })

  it('is served for any host otherwise', async () => {
    expect(await get('http://example.com/note', 'Host: other.example', false)).toEqual([[200], undefined])
  })

  it('needs a host, and a Host header', async () => {
    for (const isLocalOnly of [true, false]) {
      expect(await get('http:///note', 'Host: localhost', isLocalOnly)).toEqual([[400], 'bad-request'])
      expect(await get('http://localhost/note', 'X-Other: 1', isLocalOnly)).toEqual([[400], 'bad-request'])
    }
  })

  it('is compared with the origin of a page', async () => {
    const { app } = await openService(notes)
    const write = async (target: string) => {
      const origin = ['Host: other.example', 'Origin: http://desk.example']
      return statuses(await exchange(app, [`DELETE ${target} HTTP/1.1`, ...origin, 'Connection: close']))
    }
    expect(await write('http://desk.example/note/1')).toEqual([404])
    const { app: second } = await openService(notes)
    const rejected = [
      'DELETE http://other.example/note/1 HTTP/1.1',
      'Host: desk.example',
      'Origin: http://desk.example',
    ]
    expect(codeOf(await exchange(second, [...rejected, 'Connection: close']))).toBe('cross-site-request')
  })
})

describe('a client that waits for 100 Continue', () => {
  const provider = providedOnce()
  const body = '{"title":"a"}'
  const head = (path: string, ...headers: string[]) => [
    `POST ${path} HTTP/1.1`,
    ...['Host: localhost', 'Expect: 100-continue', `Content-Length: ${body.length}`],
    ...['Content-Type: application/json', ...headers],
  ]

  it('gets it if the body is wanted', async () => {
    const { app } = await openService(notes)
    expect(statuses(await exchange(app, head('/note', 'Connection: close'), body))).toEqual([100, 201])
  })

  it('gets it on a server of the application, too', async () => {
    const { app } = await openService(notes)
    const { createServer } = await import('node:http')
    const server = createServer(app.listener)
    const listen = async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return `http://127.0.0.1:${(server.address() as { port: number }).port}`
    }
    const received = await exchange({ ...app, listen }, head('/note', 'Connection: close'), body)
    expect(statuses(received)).toEqual([100, 201])
    server.close()
  })

  const replaced = (name: string, value: string, path = '/note') => [
    ...head(path).filter((line) => !line.startsWith(`${name}: `)),
    ...(value === '' ? [] : [`${name}: ${value}`]),
  ]

  it.each([
    ['the body is too large', replaced('Content-Length', '99999999'), 413, 'body-too-large'],
    ['the media type is wrong', replaced('Content-Type', 'text/plain'), 415, 'unsupported-media-type'],
    ['there is no media type', replaced('Content-Type', ''), 415, 'unsupported-media-type'],
    ['the body is encoded', [...head('/note'), 'Content-Encoding: gzip'], 415, 'unsupported-media-type'],
    ['the path does not exist', head('/nothing'), 404, 'path-not-found'],
    ['the method is not allowed', head('/note/1'), 405, 'method-not-allowed'],
  ])('gets the error at once if %s, and the connection is closed', async (_, lines, status, code) => {
    const { app } = await openService(notes)
    const received = await exchange(app, lines, body)
    expect([statuses(received), codeOf(received)]).toEqual([[status], code])
    expect(received.toLowerCase()).toContain('connection: close')
  })

  it('gets the error at once if the token is missing', async () => {
    const { app } = await openNotes(provider())
    const received = await exchange(app, head('/note'), body)
    expect([statuses(received), codeOf(received)]).toEqual([[401], 'token-required'])
    expect(received.toLowerCase()).toContain('connection: close')
  })
})

describe('problem documents with a URL as their type', () => {
  const problemTypeUrl = 'https://docs.example.com/problems'

  it('name the code in its fragment: in responses, in those to malformed HTTP, and in the OpenAPI document', async () => {
    const { app, get, send } = await openService(notes, { problemTypeUrl })
    const missing = await get('/note/7')
    expect(missing.body).toMatchObject({ type: `${problemTypeUrl}#record-not-found`, code: 'record-not-found' })
    const title = '"type":"urn:nomen:problem:x"'
    expect((await send('POST', '/note', { title })).body.title).toBe(title)
    const malformed = await exchange(app, ['GET /note HTTP/1.1', 'Host : localhost'])
    expect(malformed).toContain(`"type":"${problemTypeUrl}#`)
    const document = (await get('/openapi.json')).text
    expect(document).toContain(`"type":"${problemTypeUrl}#record-not-found"`)
    expect(document).not.toContain('urn:nomen:problem:')
  })
})
