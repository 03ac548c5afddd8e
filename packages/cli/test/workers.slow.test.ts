// Several processes on one port: output, start and stop.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, serve, start, waitUntil } from './nomen.ts'
import {
  expectResponses,
  halfRequests,
  linesOf,
  noteService,
  serveNotes,
  waitUntilRefused,
  workerProbe,
} from './notes-server.ts'
import { keepAliveAgent, sendRequest } from './send-request.ts'
import { waitForWorkers, waitUntilGone, workerAt, workersOf } from './worker-of.ts'

describe('nomen serve --workers', () => {
  it('serves with this many processes on one free port, and prints so once', async () => {
    const server = await serveNotes(3)
    expect(server.stdout()).toBe(
      [
        `notes is running at ${server.base}`,
        `  try         curl '${server.base}/note?pageSize=2'`,
        `  console     ${server.base}/console`,
        `  docs        ${server.base}/docs`,
        '  database    sqlite:data/notes.db',
        '  access log  data/access.log',
        '  processes   3',
        'Stop with Ctrl+C.',
        '',
      ].join('\n'),
    )
    expect(server.workers).toHaveLength(3)
    expect((await waitForWorkers(server, workerProbe, 3)).toSorted()).toEqual(server.workers.toSorted())
    const { results } = (await sendRequest(`${server.base}/note`)).json() as { results: unknown[] }
    expect(results).toEqual([{ id: 1, title: 'sample' }])
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0, signal: null, errors: '' })
  })

  it('distributes connections evenly over the processes', async () => {
    const server = await serveNotes(3)
    const counts = new Map<number, number>()
    for (let count = 0; count < 30; count++) {
      const pid = await workerAt(server.base, workerProbe, keepAliveAgent())
      counts.set(pid, (counts.get(pid) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual([10, 10, 10])
  })

  it('uses a single process for 1 and by default', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const [withFlag, withoutFlag] = await Promise.all([
      serve(['--workers=1', '--database', 'sqlite::memory:'], { folder }),
      serve(['--database', 'sqlite:other.db'], { folder, environment: { WORKERS: '' } }),
    ])
    for (const { pid, base, stdout } of [withFlag, withoutFlag]) {
      expect(workersOf(pid)).toEqual([])
      expect(await workerAt(base, workerProbe, keepAliveAgent())).toBe(pid)
      expect(stdout()).not.toContain('processes')
    }
  })

  it('starts one process per core for max', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    for (const [flags, environment] of [
      [['--workers', 'max'], {}],
      [[], { WORKERS: 'max' }],
    ] as const) {
      const server = await serve(flags, { folder, environment })
      const cores = availableParallelism()
      expect(workersOf(server.pid)).toHaveLength(cores > 1 ? cores : 0)
      server.kill('SIGTERM')
      expect((await server.exit).code).toBe(0)
    }
  })

  it('rejects an invalid number, and a database that processes cannot share', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const expected = 'a whole number from 1 to 1024, or "max" for one process per core'
    for (const text of ['x', '0', '-1', '1.5', '1025', 'Max']) {
      const result = await nomen(['serve', `--workers=${text}`], { folder })
      expect(result).toMatchObject({
        code: 2,
        output: '',
        errors: `nomen: --workers must be ${expected}, but is "${text}".\n`,
      })
    }
    const environment = { WORKERS: '2', DATABASE_URL: 'sqlite::memory:' }
    expect(await nomen(['serve'], { folder, environment })).toMatchObject({
      code: 2,
      output: '',
      errors:
        'nomen: WORKERS is "2", but processes cannot share the database sqlite::memory:.\n' +
        '  Use a file, such as sqlite:data/directory.db, or one process.\n',
    })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('an error at the start', () => {
  let usedPort = ''
  const server = createServer()
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    usedPort = `${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  const files = {
    'service.ts': noteService,
    'plural/service.ts': noteService.replace("noun('note'", "noun('notes'"),
    'number.ts': 'export default 7\n',
    'exit.ts': 'process.exit(7)\n',
    'none.db': 'no database '.repeat(100),
  }

  it.each([
    '--port <taken>',
    'plural --port 0',
    'number.ts --port 0',
    'exit.ts --port 0',
    'no/where.ts --port 0',
    '--database sqlite:none.db --port 0',
    '--host 0.0.0.0 --port 0',
    '--host 203.0.113.7 --allow-anonymous --port 0',
  ])('is reported once, with the message and the exit code of a single process: %s', async (flags) => {
    const args = flags.replace('<taken>', usedPort).split(' ')
    const [singleProcess, severalProcesses] = await Promise.all([
      nomen(['serve', ...args], { folder: serviceFolder(files) }),
      nomen(['serve', ...args, '--workers', '3'], { folder: serviceFolder(files) }),
    ])
    expect(singleProcess.code).toBeGreaterThan(0)
    expect(severalProcesses).toEqual(singleProcess)
  })

  it('in one of the later processes is reported once, and ends all of them', async () => {
    // Only the first process that loads the file continues.
    const folder = serviceFolder({
      'service.ts': `
        import { existsSync, writeFileSync } from 'node:fs'
        if (existsSync('loaded')) throw new Error('once is enough')
        writeFileSync('loaded', '')
        ${noteService}`,
    })
    const running = start(['serve', '--port', '0', '--workers', '4'], { folder })
    let workers: readonly number[] = []
    await waitUntil(
      () => {
        workers = workersOf(running.pid)
        return workers.length === 4
      },
      20_000,
      'all are started',
    )
    const { code, output, errors } = await running.exit
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: service\.ts cannot be loaded\. Error: once is enough\n.*\n$/)
    await waitUntilGone(workers)
  })
})

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('waits until every process has finished its requests and written their lines, and exits with 0', async () => {
    const server = await serveNotes(3)
    const requests = await halfRequests(server)
    // Ctrl+C reaches all processes of the terminal, and counts as one signal.
    if (signal === 'SIGINT') server.killAll(signal)
    else server.kill(signal)
    await waitUntilRefused(server.port)
    await expectResponses(requests)
    expect(await server.exit).toMatchObject({ code: 0, signal: null, errors: '' })
    await waitUntilGone(server.workers)
    const lines = linesOf(server.folder).map((line) => parseLine(line)?.status)
    expect(lines.filter((status) => status === 201)).toHaveLength(3)
  })

  it('ends immediately the second time', async () => {
    const server = await serveNotes(2)
    const requests = await halfRequests(server)
    server.killAll(signal)
    await waitUntilRefused(server.port)
    server.killAll(signal)
    expect(await server.exit).toMatchObject({ code: 1, signal: null, errors: '' })
    await waitUntilGone(server.workers)
    for (const { received } of requests) expect(received()).toBe('')
  })

  it('before the start is complete ends all processes', async () => {
    const waiting = `${noteService}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))\n`
    const folder = serviceFolder({ 'service.ts': waiting })
    const running = start(['serve', '--port', '0', '--workers', '2'], { folder })
    await waitUntil(() => workersOf(running.pid).length === 1, 20_000, 'the first worker has started')
    const workers = workersOf(running.pid)
    await pause(500)
    running.kill(signal)
    expect(await running.exit).toMatchObject({ code: 0, output: '', errors: '' })
    await waitUntilGone(workers)
  })
})

describe('a shutdown', () => {
  it('kills a process that does not end by itself, and exits with 1', async () => {
    const server = await serveNotes(2)
    const [stuck = 0] = server.workers
    process.kill(stuck, 'SIGSTOP')
    server.kill('SIGTERM')
    const { code, errors } = await server.exit
    expect(code).toBe(1)
    expect(errors).toMatch(/^[^\n]*"Worker \d \(process \d+\) did not stop within 15 s, and is killed\."\}\n$/)
    expect(errors).toContain(`(process ${stuck})`)
    await waitUntilGone(server.workers)
  })
})
