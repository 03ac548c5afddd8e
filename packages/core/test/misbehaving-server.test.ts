// Errors of the client for misbehaving servers, over real connections.
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

/** The reaction of a server to a request. */
let react: (socket: Socket) => void = (socket) => socket.destroy()
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => react(socket))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const userClient = () => client<typeof people>({ baseUrl: baseUrl(), retries: 0 }).user
const readUser = (signal?: AbortSignal) => userClient().read(1, { signal })

/** Sends this text unchanged, and closes the connection. */
const sendResponse = (head: string, body: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${head}\r\nconnection: close\r\n\r\n${body}`)
/** Sends fewer bytes than content-length. */
const sendPartialResponse = (status: string) => (socket: Socket) =>
  socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{"id":`)

/** The system may report either of these errors. */
const closedError = '(other side closed|read ECONNRESET)'

describe('a connection that is lost', () => {
  it('before the response is reported with the request and the reason', async () => {
    react = (socket) => socket.destroy()
    const error = await readUser().catch((error) => error)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(new RegExp(`^GET ${baseUrl()}/user/1 got no response: ${closedError}$`))
    expect(error.cause.message).toBe('fetch failed')
  })

  it.each(['200 OK', '400 Bad Request'])('during the response %s is reported', async (status) => {
    react = (socket) => {
      sendPartialResponse(status)(socket)
      setImmediate(() => socket.destroy())
    }
    const message = `^The response ${status.slice(0, 3)} to GET ${baseUrl()}/user/1 was cut off: ${closedError}$`
    await expect(readUser()).rejects.toThrow(new RegExp(message))
  })

  it('is reported if no server listens', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1')
    await once(closedServer, 'listening')
    const { port } = closedServer.address() as AddressInfo
    closedServer.close()
    await once(closedServer, 'close')
    const { user } = client<typeof people>({ baseUrl: `http://127.0.0.1:${port}` })
    await expect(user.list()).rejects.toThrow(
      `GET http://127.0.0.1:${port}/user got no response: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
  })

  it('is reported if the address does not exist', async () => {
    await expect(client<typeof people>({ baseUrl: 'example.com' }).user.read(1)).rejects.toThrow(
      'GET example.com/user/1 got no response: Invalid URL',
    )
  })

  it('is reported if the server does not speak HTTP', async () => {
    react = (socket) => socket.end('220 mail.example.com ESMTP\r\n')
    await expect(readUser()).rejects.toThrow(/got no response: .*HTTP/)
  })
})

it.each([new Error('enough'), new TypeError('enough')])(
  'aborts an endless body with the reason of the signal: %s',
  async (reason) => {
    const controller = new AbortController()
    react = (socket) => {
      sendPartialResponse('200 OK')(socket)
      setImmediate(() => controller.abort(reason))
    }
    await expect(readUser(controller.signal)).rejects.toBe(reason)
  },
)

describe('a response that is not a problem document', () => {
  it.each([
    ['502 Bad Gateway', '<html>nginx</html>', 'responded with 502 Bad Gateway: <html>nginx</html>'],
    ['502 ', '', 'responded with 502'],
    ['404 Not Found', 'null', 'responded with 404 Not Found'],
    ['304 Not Modified', '', 'responded with 304 Not Modified'],
    ['400 Bad Request', '["name"]', 'responded with 400 Bad Request: ["name"]'],
    ['400 Bad Request', '{"message":"No name"}', 'responded with 400 Bad Request: {"message":"No name"}'],
    [
      '200 OK\r\ncontent-type: text/html',
      '<html>Log in',
      'responded with 200 and text/html that is not JSON: <html>Log in',
    ],
    [
      '200 OK\r\ncontent-type: application/json',
      '{"id":',
      'responded with 200 and application/json that is not JSON: {"id":',
    ],
  ])('is reported with the request, the status and its beginning: %s %s', async (head, body, message) => {
    react = sendResponse(head, body)
    const error = await readUser().catch((error) => error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error.message).toBe(`GET ${baseUrl()}/user/1 ${message}`)
    expect([error.status, error.code]).toEqual([Number(head.slice(0, 3)), undefined])
  })

  it('becomes a problem with text members, for any members of the response', async () => {
    react = sendResponse(
      '422 Unprocessable Content',
      '{"title":null,"code":7,"detail":[{"loc":["name"],"msg":"missing"}]}',
    )
    await expect(readUser()).rejects.toMatchObject({
      message: '[{"loc":["name"],"msg":"missing"}]',
      code: '7',
      problem: { title: 'Unprocessable Content', status: 422 },
    })
  })
})

it.each([
  ['200 OK', ''],
  ['204 No Content\r\ncontent-length: 8', '{"id":1}'],
])('returns null for a response %j, which has no body', async (head, body) => {
  react = sendResponse(head, body)
  expect(await readUser()).toBeNull()
})

it.each(['[{"id":1}]', 'null', '{"results":[]}', '{"pageInfo":{},"results":[]}'])(
  'does not read pages of a list %s of another service',
  async (body) => {
    react = sendResponse('200 OK', body)
    await expect(Array.fromAsync(userClient().records())).rejects.toThrow(
      `The response of /user is not a page with pageInfo and results: ${body}.`,
    )
  },
)

it('rejects a client without a base URL', () => {
  const baseUrl = undefined as unknown as string
  expect(() => client<typeof people>({ baseUrl })).toThrow('baseUrl must be the URL of the service, not undefined')
})
