// Several processes on one port: what is said, how they stop, and what becomes of the others when one dies.
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, type Connection, connection, keptConnection } from './ask.ts'
import { serviceFolder, writeFiles } from './folder.ts'
import { hasConsole, nomen, type Served, serve, start, until } from './nomen.ts'
import { untilGone, untilReached, workerAt, workersOf } from './worker-of.ts'

/** Notes; whoever asks in vain for one with the title "who" learns which process refuses it. */
const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { rule, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  const who = rule(note, ({ title }) => (title === 'who' ? { detail: String(process.pid) } : undefined))
  const sample = () => [{ noun: 'note', rows: [{ id: 1, title: 'sample' }] }]
  export default service({ name: 'notes', apis: [notes], rules: [who], sample })
`

interface ServedNotes extends Served {
  readonly folder: string
  readonly workers: readonly number[]
}

async function serveNotes(count: number, source = noteService, flags: readonly string[] = []): Promise<ServedNotes> {
  const folder = serviceFolder({ 'service.ts': source })
  const served = await serve(['--workers', `${count}`, ...flags], { folder })
  return { ...served, folder, workers: workersOf(served.pid) }
}

const who = { path: '/note', body: { title: 'who' } }

interface HalfRequest extends Connection {
  readonly worker: number
  readonly finish: () => void
}

/** A request whose body has not yet come whole, on a connection whose worker is known. */
async function halfRequest(port: number): Promise<HalfRequest> {
  const opened = await connection(port)
  const head = (length: number) =>
    `POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  opened.socket.write(`${head(15)}{"title":"who"}`)
  await until(() => opened.heard().endsWith('}'), 5000, 'it says who it is')
  const worker = Number(/"detail":"(\d+)"/.exec(opened.heard())?.[1])
  const known = opened.heard().length
  opened.socket.write(`${head(21)}{"title":`)
  return {
    ...opened,
    worker,
    heard: () => opened.heard().slice(known),
    finish: () => opened.socket.write('"under way"}'),
  }
}

/** One at each worker. */
async function halfRequests({ port, workers }: ServedNotes): Promise<readonly HalfRequest[]> {
  const found = new Map<number, HalfRequest>()
  for (let tries = 0; found.size < workers.length; tries++) {
    expect(tries).toBeLessThan(50)
    const one = await halfRequest(port)
    if (found.has(one.worker)) one.socket.destroy()
    else found.set(one.worker, one)
  }
  await pause(200)
  return [...found.values()]
}

async function expectAnswered(requests: readonly HalfRequest[]): Promise<void> {
  for (const { finish } of requests) finish()
  for (const { heard } of requests) {
    await until(() => heard().endsWith('}'), 10_000, 'the request is answered')
    expect(heard()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  }
}

async function untilRefused(port: number): Promise<void> {
  let isSo = false
  const asking = setInterval(() => {
    connection(port).then(
      ({ socket }) => socket.destroy(),
      (error: NodeJS.ErrnoException) => {
        isSo ||= error.code === 'ECONNREFUSED'
      },
    )
  }, 20)
  await until(() => isSo, 10_000, 'new connections are refused').finally(() => clearInterval(asking))
}

const linesOf = (folder: string) => readFileSync(join(folder, 'data/access.log'), 'utf8').split('\n').slice(0, -1)

/** What it said about workers that ended: how, and when the next one starts. */
function ends(complained: string): readonly { readonly pid: number; readonly how: string; readonly pause: number }[] {
  const line = /"Worker \d+ \(process (\d+)\) (.*)\. It is started again in (\d+) ms\."/g
  return [...complained.matchAll(line)].map(([, pid, how = '', after]) => ({
    pid: Number(pid),
    how,
    pause: Number(after),
  }))
}

describe('nomen serve --workers', () => {
  it('serves with so many processes on one free port, and says so once', async () => {
    const served = await serveNotes(3)
    expect(served.said()).toBe(
      [
        `notes is served at ${served.base}`,
        `  try         curl '${served.base}/note?pageSize=2'`,
        ...(hasConsole ? [`  console     ${served.base}/console`] : []),
        `  docs        ${served.base}/docs`,
        '  database    sqlite:data/notes.db',
        '  access log  data/access.log',
        '  processes   3',
        'Stop with Ctrl+C.',
        '',
      ].join('\n'),
    )
    expect(served.workers).toHaveLength(3)
    expect((await untilReached(served, who, 3)).toSorted()).toEqual(served.workers.toSorted())
    const { results } = (await ask(`${served.base}/note`)).json() as { results: unknown[] }
    expect(results).toEqual([{ id: 1, title: 'sample' }])
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, signal: null, errors: '' })
  })

  it('gives each process as many connections as any other', async () => {
    const served = await serveNotes(3)
    const counts = new Map<number, number>()
    for (let count = 0; count < 30; count++) {
      const pid = await workerAt(served.base, who, keptConnection())
      counts.set(pid, (counts.get(pid) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual([10, 10, 10])
  })

  it('1, or nothing, is this process alone', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const [given, not] = await Promise.all([
      serve(['--workers=1', '--database', 'sqlite::memory:'], { folder }),
      serve(['--database', 'sqlite:other.db'], { folder, environment: { WORKERS: '' } }),
    ])
    for (const { pid, base, said } of [given, not]) {
      expect(workersOf(pid)).toEqual([])
      expect(await workerAt(base, who, keptConnection())).toBe(pid)
      expect(said()).not.toContain('processes')
    }
  })

  it('max, or 0, is one for each core', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    for (const [flags, environment] of [
      [['--workers', 'max'], {}],
      [[], { WORKERS: '0' }],
    ] as const) {
      const served = await serve(flags, { folder, environment })
      const cores = availableParallelism()
      expect(workersOf(served.pid)).toHaveLength(cores > 1 ? cores : 0)
      served.kill('SIGTERM')
      expect((await served.ended).code).toBe(0)
    }
  })

  it('that is no number is refused, and so is a database that processes cannot share', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const fix = 'Give a whole number from 1 to 1024, or max for one process for each core.'
    for (const text of ['x', '-1', '1.5', '1025', 'Max']) {
      const ended = await nomen(['serve', `--workers=${text}`], { folder })
      expect(ended).toMatchObject({ code: 2, output: '', errors: `nomen: --workers is "${text}".\n  ${fix}\n` })
    }
    const environment = { WORKERS: '2', DATABASE_URL: 'sqlite::memory:' }
    expect(await nomen(['serve'], { folder, environment })).toMatchObject({
      code: 2,
      output: '',
      errors:
        'nomen: WORKERS is "2", and processes cannot share the database sqlite::memory:.\n' +
        '  Name a file, such as sqlite:data/directory.db, or serve with one process.\n',
    })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('what stops a start', () => {
  it('is told once, in the words and with the exit code of one process', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const taken = `${(server.address() as AddressInfo).port}`
    const files = {
      'service.ts': noteService,
      'plural/service.ts': noteService.replace("noun('note'", "noun('notes'"),
      'number.ts': 'export default 7\n',
      'exit.ts': 'process.exit(7)\n',
      'none.db': 'no database '.repeat(100),
    }
    const faults = [
      ['--port', taken],
      ['plural', '--port', '0'],
      ['number.ts', '--port', '0'],
      ['exit.ts', '--port', '0'],
      ['no/where.ts', '--port', '0'],
      ['--database', 'sqlite:none.db', '--port', '0'],
      ['--host', '0.0.0.0', '--port', '0'],
      ['--host', '203.0.113.7', '--allow-anonymous', '--port', '0'],
    ]
    for (const fault of faults) {
      const [alone, together] = await Promise.all([
        nomen(['serve', ...fault], { folder: serviceFolder(files) }),
        nomen(['serve', ...fault, '--workers', '3'], { folder: serviceFolder(files) }),
      ])
      expect(alone.code).toBeGreaterThan(0)
      expect(together, fault.join(' ')).toEqual(alone)
    }
  })

  it('in one of the later processes is told once, and ends all', async () => {
    // The first process that loads it may go on.
    const folder = serviceFolder({
      'service.ts': `
        import { existsSync, writeFileSync } from 'node:fs'
        if (existsSync('loaded')) throw new Error('once is enough')
        writeFileSync('loaded', '')
        ${noteService}`,
    })
    const running = start(['serve', '--port', '0', '--workers', '4'], { folder })
    let workers: readonly number[] = []
    await until(
      () => {
        workers = workersOf(running.pid)
        return workers.length === 4
      },
      20_000,
      'all are started',
    )
    const { code, output, errors } = await running.ended
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: service\.ts cannot be loaded\. Error: once is enough\n.*\n$/)
    await untilGone(workers, 1000)
  })
})

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets every process finish its requests, write their lines and end; the exit code is 0', async () => {
    const served = await serveNotes(3)
    const requests = await halfRequests(served)
    // Ctrl+C reaches all processes of the terminal, and counts as one signal.
    if (signal === 'SIGINT') served.killAll(signal)
    else served.kill(signal)
    await untilRefused(served.port)
    await expectAnswered(requests)
    expect(await served.ended).toMatchObject({ code: 0, signal: null, errors: '' })
    await untilGone(served.workers, 1000)
    const lines = linesOf(served.folder).map((line) => parseLine(line)?.status)
    expect(lines.filter((status) => status === 201)).toHaveLength(3)
  })

  it('a second time does not wait', async () => {
    const served = await serveNotes(2)
    const requests = await halfRequests(served)
    served.killAll(signal)
    await untilRefused(served.port)
    served.killAll(signal)
    expect(await served.ended).toMatchObject({ code: 1, signal: null, errors: '' })
    await untilGone(served.workers, 1000)
    for (const { heard } of requests) expect(heard()).toBe('')
  })

  it('before anything is served ends everything', async () => {
    const waiting = `${noteService}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))\n`
    const folder = serviceFolder({ 'service.ts': waiting })
    const running = start(['serve', '--port', '0', '--workers', '2'], { folder })
    await until(() => workersOf(running.pid).length === 1, 20_000, 'the first is started')
    const workers = workersOf(running.pid)
    await pause(500)
    running.kill(signal)
    expect(await running.ended).toMatchObject({ code: 0, output: '', errors: '' })
    await untilGone(workers, 1000)
  })
})

describe('a stop', () => {
  it('kills a process that does not end by itself, and exits with 1', async () => {
    const served = await serveNotes(2)
    const [stuck = 0] = served.workers
    process.kill(stuck, 'SIGSTOP')
    served.kill('SIGTERM')
    const { code, errors } = await served.ended
    expect(code).toBe(1)
    expect(errors).toMatch(/^[^\n]*"Worker \d \(process \d+\) did not stop within 15 s, and is killed\."\}\n$/)
    expect(errors).toContain(`(process ${stuck})`)
    await untilGone(served.workers, 1000)
  })
})

describe('a worker that dies', () => {
  it('is said once and started again, and nobody else is disturbed', async () => {
    const served = await serveNotes(3)
    const requests = await halfRequests(served)
    const [killed, ...others] = requests
    process.kill(killed?.worker ?? 0, 'SIGKILL')
    await killed?.closed
    await until(() => workersOf(served.pid).length === 3, 20_000, 'there are three again')
    await expectAnswered(others)
    expect(await untilReached(served, who, 3)).not.toContain(killed?.worker)
    expect(ends(served.complained())).toEqual([{ pid: killed?.worker, how: 'was ended by SIGKILL', pause: 100 }])
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0 })
  })

  it('leaves no client waiting that was on its way to it', async () => {
    const served = await serveNotes(2)
    const [stopped = 0] = served.workers
    process.kill(stopped, 'SIGSTOP')
    // One of two reaches the process that cannot take it; the other is answered.
    const clients = [await connection(served.port), await connection(served.port)]
    for (const { socket } of clients)
      socket.write('GET /note/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await Promise.race(clients.map(({ closed }) => closed))
    process.kill(stopped, 'SIGKILL')
    await Promise.all(clients.map(({ closed }) => closed))
    expect(clients.filter(({ heard }) => heard().startsWith('HTTP/1.1 200 '))).toHaveLength(1)
  })

  it('comes back to the same port, also when all die at once', async () => {
    const served = await serveNotes(2)
    for (const pid of served.workers) process.kill(pid, 'SIGKILL')
    await untilGone(served.workers, 1000)
    await untilReached(served, who, 2)
    expect(served.said().match(/is served at/g)).toHaveLength(1)
  })

  it('over and over is started after ever longer pauses, until what kills it is fixed', async () => {
    const source = `
      import { existsSync } from 'node:fs'
      setInterval(() => { if (existsSync('fatal')) process.exit(3) }, 20)
      ${noteService}`
    const served = await serveNotes(2, source)
    const fatal = join(served.folder, 'fatal')
    writeFileSync(fatal, '')
    await until(() => ends(served.complained()).length >= 10, 40_000, 'each has died five times')
    rmSync(fatal)
    const found = ends(served.complained()).slice(0, 10)
    for (const { how } of found) expect(how).toBe('ended with exit code 3')
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(10)
    expect(found.map((one) => one.pause).sort((a, b) => a - b)).toEqual(
      [100, 200, 400, 800, 1600].flatMap((one) => [one, one]),
    )
    await untilReached(served, who, 2)
  })

  it('because the service file was broken meanwhile tells why, once', async () => {
    const served = await serveNotes(2)
    writeFiles(served.folder, { 'service.ts': noteService.replace("noun('note'", "noun('notes'") })
    const [first = 0] = served.workers
    process.kill(first, 'SIGKILL')
    await until(() => ends(served.complained()).length >= 3, 30_000, 'two restarts have failed')
    expect(served.complained().match(/^nomen: noun "notes": a noun is singular/gm)).toHaveLength(1)
    expect((await ask(`${served.base}/note/1`)).status).toBe(200)
    writeFiles(served.folder, { 'service.ts': noteService })
    await untilReached(served, who, 2)
  })
})

describe('a supervisor that is killed', () => {
  it('leaves no process and no port behind, and requests under way are answered', async () => {
    const served = await serveNotes(3)
    const requests = await halfRequests(served)
    served.kill('SIGKILL')
    await untilRefused(served.port)
    await expectAnswered(requests)
    await untilGone(served.workers, 5000)
    expect(served.complained()).toBe('')
    expect(linesOf(served.folder).filter((line) => parseLine(line)?.status === 201)).toHaveLength(3)
    const again = await serve(['--port', `${served.port}`, '--workers', '2'], { folder: served.folder })
    expect((await ask(`${again.base}/note/1`)).status).toBe(200)
  })

  it('while they start leaves none either', async () => {
    const waiting = `${noteService}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))\n`
    const folder = serviceFolder({ 'service.ts': waiting })
    const running = start(['serve', '--port', '0', '--workers', '2'], { folder })
    await until(() => workersOf(running.pid).length === 1, 20_000, 'the first is started')
    const workers = workersOf(running.pid)
    await pause(500)
    running.kill('SIGKILL')
    await untilGone(workers, 5000)
  })
})
