// Prism as a proxy in front of the directory compares every request and response with the document.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkService } from '@nomen/conventions'
import { openapi } from '@nomen/core/openapi'
import { access, directory, directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { freePort } from '@nomen/testing/free-port'
import { proofSeed } from '@nomen/testing/prove'
import { afterEach, expect, it, vi } from 'vitest'
import { writeDocument } from './generate.ts'

interface Violation {
  readonly location: readonly string[]
  readonly severity: string
  readonly message: string
}

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function startDirectory(): Promise<string> {
  const app = await open(directoryService({ users: 30 }), { database: 'sqlite::memory:', waitLimitMs: 0 })
  stops.push(() => app.close())
  return app.listen({ port: 0 })
}

/** Starts Prism in front of a service, and returns its URL. */
async function startPrism(document: string, upstream: string): Promise<string> {
  const port = await freePort()
  const command = join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const flags = ['proxy', document, upstream, '--port', `${port}`, '--host', '127.0.0.1', '--multiprocess', 'false']
  const process_: ChildProcess = spawn(process.execPath, [command, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  stops.push(async () => {
    process_.kill()
    if (process_.exitCode === null && process_.signalCode === null) await once(process_, 'exit')
  })
  const lines = createInterface({ input: process_.stdout as NodeJS.ReadableStream })
  await new Promise<void>((resolve, reject) => {
    process_.once('exit', () => reject(new Error('Prism ended.')))
    lines.on('line', (line) => line.includes('is listening') && resolve())
  })
  return `http://127.0.0.1:${port}`
}

interface Exchange {
  readonly request: string
  readonly status: number
  readonly violations: readonly Violation[]
}

/** Checks a service through Prism, and returns every exchange. */
async function checkThroughPrism(document: string, upstream: string, maxRequests: number): Promise<Exchange[]> {
  const base = await startPrism(document, upstream)
  const exchanges: Exchange[] = []
  const { fetch } = globalThis
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await fetch(input, init)
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[]
    exchanges.push({ request: `${init?.method ?? 'GET'} ${input}`, status: response.status, violations })
    return response
  })
  try {
    await checkService({ base, document, isWriting: true, seed: proofSeed(), maxRequests })
  } finally {
    spy.mockRestore()
  }
  return exchanges
}

const violationsIn = (part: string, exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ request, status, violations }) =>
    violations
      .filter(({ location }) => location[0] === part)
      .map(({ location, message }) => `${request} ${status}: ${location.join('.')} ${message}`),
  )

/** Prism removes readOnly properties from the schema of a body, and then rejects those that a client sends back. */
const isReadOnly = (text: string) =>
  /additional properties; found '(id|created|lastUpdated|reason|secret|user)'/.test(text)

it.each([
  ['directory', directory],
  ['access', access],
] as const)('finds no violation in the responses of the %s, and in requests that succeed', async (name, api) => {
  const document = await writeDocument(`prism-${name}`, openapi(api))
  const exchanges = await checkThroughPrism(document, await startDirectory(), 1000)
  const successes = exchanges.filter(({ status }) => status < 300)
  console.log(`${exchanges.length} requests through Prism, of which ${successes.length} succeeded.`)
  expect(exchanges.length).toBeGreaterThanOrEqual(500)
  expect(successes.length).toBeGreaterThanOrEqual(300)
  // 405 is not part of a document: the operation is not known.
  const isDocumented = ({ status }: Exchange) => status !== 405
  expect(violationsIn('response', exchanges.filter(isDocumented))).toEqual([])
  expect(violationsIn('request', successes).filter((text) => !isReadOnly(text))).toEqual([])
})

/** Serves the responses of another service with one word replaced. */
async function startChanging(upstream: string, from: string, to: string): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
    const chunks = await Array.fromAsync(request)
    const init = { method: request.method ?? 'GET', headers, ...(chunks.length > 0 && { body: Buffer.concat(chunks) }) }
    const changed = await fetch(`${upstream}${request.url}`, init)
    const text = (await changed.text()).replaceAll(from, to)
    response.writeHead(changed.status, { 'content-type': `${changed.headers.get('content-type')}` }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('finds a response that differs from the document', async () => {
  const document = await writeDocument('prism-changed', openapi(directory))
  const upstream = await startChanging(await startDirectory(), '"status":"ACTIVE"', '"status":"Active"')
  const found = violationsIn('response', await checkThroughPrism(document, upstream, 150))
  expect(found.filter((line) => line.includes('status'))).not.toEqual([])
})
