import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { runOpenLoop } from './open-loop.ts'
import { ResponseReader } from './response-reader.ts'

const servers = new Set<() => void>()
afterEach(() => {
  for (const close of servers) close()
  servers.clear()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.add(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const requests = [{ method: 'GET', path: '/' }] as const

test('a pause delays every request that was due in it', async () => {
  let isFirst = true
  const url = await serve((_, response) => {
    if (isFirst) {
      isFirst = false
      // Blocks the server: closed-loop clients would send nothing meanwhile, and measure one slow request.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    }
    response.end('{}')
  })
  const result = await runOpenLoop({ url, requests, connections: 2, rate: 100, seconds: 1 })
  expect(result).toMatchObject({ number: 100, failures: 0 })
  expect(result.p99).toBeGreaterThan(250)
})

test('more requests than connections wait, and all are sent', async () => {
  const url = await serve((_, response) => setTimeout(() => response.end('{}'), 20))
  const result = await runOpenLoop({ url, requests, connections: 1, rate: 1000, seconds: 0.02 })
  expect(result).toMatchObject({ number: 20, failures: 0 })
})

test('other statuses than 200 are failures', async () => {
  const url = await serve((_, response) => response.writeHead(503).end())
  expect(await runOpenLoop({ url, requests, connections: 2, rate: 100, seconds: 0.1 })).toMatchObject({ failures: 10 })
})

const responses = [
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
]

test.for(responses)('a response is complete at its last byte: %j', (text) => {
  const statuses: number[] = []
  const reader = new ResponseReader((status) => statuses.push(status))
  for (const character of text) {
    expect(statuses).toEqual([])
    reader.read(Buffer.from(character))
  }
  expect(statuses).toEqual([200])
})
