// What the client says of servers that do not behave, over real connections.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { api, identity, noun, resource } from '@nomen/core'
import { client, ProblemError } from '@nomen/core/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const people = api('people', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [resource(noun('user', { id: identity() }))],
})

/** What is done with a connection once something was asked. */
let answer: (socket: Socket) => void = (socket) => socket.destroy()
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => answer(socket))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const calls = () => client<typeof people>({ baseUrl: address(), retries: 0 }).user
const read = (signal?: AbortSignal) => calls().read(1, { signal })

/** Answers this text as it is, and ends the connection. */
const said = (head: string, body: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${head}\r\nconnection: close\r\n\r\n${body}`)
/** Announces more than it says. */
const begun = (status: string) => (socket: Socket) =>
  socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{"id":`)

/** By whichever end the system says that a connection came. */
const closed = '(other side closed|read ECONNRESET)'

describe('a connection that is lost', () => {
  it('before the answer is told with the request and the reason', async () => {
    answer = (socket) => socket.destroy()
    const error = await read().catch((error) => error)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(new RegExp(`^GET ${address()}/user/1 got no answer: ${closed}$`))
    expect(error.cause.message).toBe('fetch failed')
  })

  it.each(['200 OK', '400 Bad Request'])('within an answer %s is told too', async (status) => {
    answer = (socket) => {
      begun(status)(socket)
      setImmediate(() => socket.destroy())
    }
    const message = `^The answer ${status.slice(0, 3)} to GET ${address()}/user/1 broke off: ${closed}$`
    await expect(read()).rejects.toThrow(new RegExp(message))
  })

  it('is told where nobody listens', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    other.close()
    await once(other, 'close')
    const { user } = client<typeof people>({ baseUrl: `http://127.0.0.1:${port}` })
    await expect(user.list()).rejects.toThrow(
      `GET http://127.0.0.1:${port}/user got no answer: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
  })

  it('is told where there is no such address', async () => {
    await expect(client<typeof people>({ baseUrl: 'example.com' }).user.read(1)).rejects.toThrow(
      'GET example.com/user/1 got no answer: Invalid URL',
    )
  })

  it('is told where something else than HTTP is spoken', async () => {
    answer = (socket) => socket.end('220 mail.example.com ESMTP\r\n')
    await expect(read()).rejects.toThrow(/got no answer: .*HTTP/)
  })
})

it.each([new Error('enough'), new TypeError('enough')])(
  'a body that does not end is given up for the reason that the signal has: %s',
  async (reason) => {
    const stop = new AbortController()
    answer = (socket) => {
      begun('200 OK')(socket)
      setImmediate(() => stop.abort(reason))
    }
    await expect(read(stop.signal)).rejects.toBe(reason)
  },
)

describe('an answer that is no problem document', () => {
  it.each([
    ['502 Bad Gateway', '<html>nginx</html>', 'answered 502 Bad Gateway: <html>nginx</html>'],
    ['502 ', '', 'answered 502'],
    ['404 Not Found', 'null', 'answered 404 Not Found'],
    ['304 Not Modified', '', 'answered 304 Not Modified'],
    ['400 Bad Request', '["name"]', 'answered 400 Bad Request: ["name"]'],
    ['400 Bad Request', '{"message":"No name"}', 'answered 400 Bad Request: {"message":"No name"}'],
    ['200 OK\r\ncontent-type: text/html', '<html>Log in', 'answered 200 with text/html that is no JSON: <html>Log in'],
    [
      '200 OK\r\ncontent-type: application/json',
      '{"id":',
      'answered 200 with application/json that is no JSON: {"id":',
    ],
  ])('is told with the request, the status and its beginning: %s %s', async (head, body, message) => {
    answer = said(head, body)
    const error = await read().catch((error) => error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error.message).toBe(`GET ${address()}/user/1 ${message}`)
    expect([error.status, error.code]).toEqual([Number(head.slice(0, 3)), undefined])
  })

  it('has text where a problem has text, whatever another service gives there', async () => {
    answer = said('422 Unprocessable Content', '{"title":null,"code":7,"detail":[{"loc":["name"],"msg":"missing"}]}')
    await expect(read()).rejects.toMatchObject({
      message: '[{"loc":["name"],"msg":"missing"}]',
      code: '7',
      problem: { title: 'Unprocessable Content', status: 422 },
    })
  })
})

it.each([
  ['200 OK', ''],
  ['204 No Content\r\ncontent-length: 8', '{"id":1}'],
])('an answer %j that has no body gives null, whatever follows', async (head, body) => {
  answer = said(head, body)
  expect(await read()).toBeNull()
})

it.each(['[{"id":1}]', 'null', '{"results":[]}', '{"pageInfo":{},"results":[]}'])(
  'a list %s of another service is not walked as if it had pages',
  async (body) => {
    answer = said('200 OK', body)
    await expect(Array.fromAsync(calls().records())).rejects.toThrow(
      `/user answered no page with pageInfo and results, but ${body}.`,
    )
  },
)

it('a client without an address is refused at once', () => {
  const baseUrl = undefined as unknown as string
  expect(() => client<typeof people>({ baseUrl })).toThrow('baseUrl is undefined')
})
