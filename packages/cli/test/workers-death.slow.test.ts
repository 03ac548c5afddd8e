import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { serve, start, waitUntil } from './nomen.ts'
import {
  expectResponses,
  halfRequests,
  linesOf,
  noteService,
  serveNotes,
  waitUntilRefused,
  workerEnds,
  workerProbe,
} from './notes-server.ts'
import { connection, sendRequest } from './send-request.ts'
import { waitForWorkers, waitUntilGone, workersOf } from './worker-of.ts'

describe('a worker that dies', () => {
  it('is reported once and restarted, without effect on other workers', async () => {
    const server = await serveNotes(3)
    const requests = await halfRequests(server)
    const [killedRequest, ...otherRequests] = requests
    process.kill(killedRequest?.worker ?? 0, 'SIGKILL')
    await killedRequest?.closed
    await waitUntil(() => workersOf(server.pid).length === 3, 20_000, 'three workers run again')
    await expectResponses(otherRequests)
    expect(await waitForWorkers(server, workerProbe, 3)).not.toContain(killedRequest?.worker)
    expect(workerEnds(server.stderr())).toEqual([
      { pid: killedRequest?.worker, reason: 'was terminated by SIGKILL', pause: 100 },
    ])
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0 })
  })

  it('does not leave waiting clients that were connecting to it', async () => {
    const server = await serveNotes(2)
    const [stopped = 0] = server.workers
    process.kill(stopped, 'SIGSTOP')
    // One of two requests reaches the process that cannot respond; the other gets a response.
    const clients = [await connection(server.port), await connection(server.port)]
    for (const { socket } of clients)
      socket.write('GET /note/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await Promise.race(clients.map(({ closed }) => closed))
    process.kill(stopped, 'SIGKILL')
    await Promise.all(clients.map(({ closed }) => closed))
    expect(clients.filter(({ received }) => received().startsWith('HTTP/1.1 200 '))).toHaveLength(1)
  })

  it('is restarted on the same port, even if all workers die at once', async () => {
    const server = await serveNotes(2)
    for (const pid of server.workers) process.kill(pid, 'SIGKILL')
    await waitUntilGone(server.workers)
    await waitForWorkers(server, workerProbe, 2)
    expect(server.stdout().match(/is running at/g)).toHaveLength(1)
  })

  it('repeatedly is restarted after increasing pauses, until the cause is fixed', async () => {
    const source = `
      import { existsSync } from 'node:fs'
      setInterval(() => { if (existsSync('fatal')) process.exit(3) }, 20)
      ${noteService}`
    const server = await serveNotes(2, source)
    const fatalFile = join(server.folder, 'fatal')
    writeFileSync(fatalFile, '')
    await waitUntil(() => workerEnds(server.stderr()).length >= 8, 50_000, 'each worker has died four times')
    rmSync(fatalFile)
    const firstEnds = workerEnds(server.stderr()).slice(0, 8)
    for (const { reason } of firstEnds) expect(reason).toBe('ended with exit code 3')
    expect(new Set(firstEnds.map(({ pid }) => pid)).size).toBe(8)
    expect(firstEnds.map((end) => end.pause).sort((a, b) => a - b)).toEqual(
      [100, 200, 400, 800].flatMap((pause) => [pause, pause]),
    )
    await waitForWorkers(server, workerProbe, 2)
  })

  it('because of a broken service file reports the reason once, and again if it breaks again', async () => {
    const server = await serveNotes(2)
    writeFiles(server.folder, { 'service.ts': noteService.replace("noun('note'", "noun('notes'") })
    const [first = 0] = server.workers
    process.kill(first, 'SIGKILL')
    await waitUntil(() => workerEnds(server.stderr()).length >= 3, 30_000, 'two restarts have failed')
    expect(server.stderr().match(/^nomen: noun "notes": the name looks like a plural/gm)).toHaveLength(1)
    expect((await sendRequest(`${server.base}/note/1`)).status).toBe(200)
    writeFiles(server.folder, { 'service.ts': noteService })
    const [second = 0] = await waitForWorkers(server, workerProbe, 2)
    writeFiles(server.folder, { 'service.ts': noteService.replace("noun('note'", "noun('notes'") })
    process.kill(second, 'SIGKILL')
    const count = () => server.stderr().match(/^nomen: noun "notes": the name looks like a plural/gm)?.length
    await waitUntil(() => count() === 2, 30_000, 'the reason is reported again')
  })
})

describe('a supervisor that is killed', () => {
  it('leaves no process and no port, and open requests get a response', async () => {
    const server = await serveNotes(3)
    const requests = await halfRequests(server)
    server.kill('SIGKILL')
    await waitUntilRefused(server.port)
    await expectResponses(requests)
    await waitUntilGone(server.workers)
    expect(server.stderr()).toBe('')
    expect(linesOf(server.folder).filter((line) => parseLine(line)?.status === 201)).toHaveLength(3)
    const again = await serve(['--port', `${server.port}`, '--workers', '2'], { folder: server.folder })
    expect((await sendRequest(`${again.base}/note/1`)).status).toBe(200)
  })

  it('while the workers start leaves no process', async () => {
    const waiting = `${noteService}\nawait new Promise((resolve) => setTimeout(resolve, 60_000))\n`
    const folder = serviceFolder({ 'service.ts': waiting })
    const running = start(['serve', '--port', '0', '--workers', '2'], { folder })
    await waitUntil(() => workersOf(running.pid).length === 1, 20_000, 'the first worker has started')
    const workers = workersOf(running.pid)
    await pause(500)
    running.kill('SIGKILL')
    await waitUntilGone(workers)
  })
})
