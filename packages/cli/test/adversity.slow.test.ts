// Faults in the environment of a service: each causes a clear error, and the service recovers without a restart. See docs/reliability.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseLine } from '@nomen/core'
import { startProxy } from '@nomen/testing/faulty-proxy'
import { withoutLoadShedding } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { type HttpResponse, sendRequest } from './send-request.ts'

const environment = { SAMPLE_USERS: '20', ...withoutLoadShedding }

function serveDirectory(flags: readonly string[], options: Parameters<typeof serve>[1] = {}): Promise<RunningServer> {
  return serve(['apps/directory', ...flags], { environment, ...options })
}

const readUser = ({ base }: RunningServer) => sendRequest(`${base}/user/1`)
const createUser = ({ base }: RunningServer, firstName: string) =>
  sendRequest(`${base}/user/1`, { method: 'PATCH', body: { firstName } })
const nameOf = (response: HttpResponse) => (response.json() as { firstName: string }).firstName

function expectUnavailable(response: HttpResponse): void {
  expect([response.status, response.headers['retry-after']]).toEqual([503, '1'])
  expect(response.json()).toMatchObject({ code: 'unavailable', status: 503 })
}

/** From util-linux: runs a command in a separate mount namespace. */
const ownMounts = ['unshare', '--user', '--map-root-user', '--mount']
const canMount =
  spawnSync(ownMounts[0] as string, [...ownMounts.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe.runIf(canMount)('a file that is read-only', () => {
  it('supports reads, responds with 503 to writes, and accepts writes again after it is writable', async () => {
    const folder = temporaryFolder()
    const flags = ['--database', `sqlite:${join(folder, 'directory.db')}`, '--access-log', '/dev/null']
    const first = await serveDirectory(flags)
    // As after a disk failure: the WAL and shared memory files of SQLite remain.
    first.kill('SIGKILL')
    await first.exit
    const mount = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`
    const server = await serveDirectory(flags, { under: [...ownMounts, 'sh', '-c', mount, folder] })
    const { status, ...before } = await readUser(server)
    expect(status).toBe(200)
    expectUnavailable(await createUser(server, 'Refused'))
    expect(nameOf(await readUser(server))).toBe((before.json() as { firstName: string }).firstName)
    // Only the mount namespace of the service is read-only.
    const [path, movedPath] = [join(folder, 'directory.db'), join(folder, 'away.db')]
    renameSync(path, movedPath)
    mkdirSync(path)
    const innerPath = ['--target', `${server.pid}`, '--user', '--mount', '--preserve-credentials']
    execFileSync('nsenter', [...innerPath, 'mount', '-o', 'remount,bind,rw', folder])
    // The file can be opened neither for writing nor for reading.
    for (const response of [await createUser(server, 'Refused'), await readUser(server)]) expectUnavailable(response)
    rmSync(path, { recursive: true })
    renameSync(movedPath, path)
    expect(nameOf(await readUser(server))).toBe((before.json() as { firstName: string }).firstName)
    expect((await createUser(server, 'Written')).status).toBe(200)
    expect(nameOf(await readUser(server))).toBe('Written')
    expect(server.stderr()).toContain('readonly database')
    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
  })
})

describe('a database that is slow', () => {
  it('delays responses, causes 503 if it does not respond, and is used again when it recovers', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const proxy = await startProxy(url)
    onTestFinished(() => proxy.close())
    const server = await serveDirectory(['--database', proxy.url, '--access-log', '/dev/null'])
    proxy.delay(150)
    const slow = await Promise.all([
      readUser(server),
      createUser(server, 'Slow'),
      sendRequest(`${server.base}/user?pageSize=5`),
    ])
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200])
    proxy.delay(60_000)
    for (const response of await Promise.all([readUser(server), sendRequest(`${server.base}/user?pageSize=5`)]))
      expectUnavailable(response)
    proxy.delay(0)
    proxy.cut()
    await expect.poll(async () => (await createUser(server, 'Quick')).status).toBe(200)
    expect(nameOf(await readUser(server))).toBe('Quick')
  })
})

describe('a clock that jumps', () => {
  it('by a day, forward or back, does not affect records, ETags, keys or the log', async () => {
    const folder = temporaryFolder()
    const [clock, log] = [join(folder, 'clock'), join(folder, 'access.log')]
    const day = 86_400_000
    writeFileSync(clock, '0')
    const preload = `--import=${join(import.meta.dirname, 'clock.ts')}`
    const server = await serveDirectory(['--database', 'sqlite::memory:', '--access-log', log], {
      environment: { ...environment, CLOCK_FILE: clock, NODE_OPTIONS: preload },
    })
    const tags = new Set([(await readUser(server)).headers.etag])
    for (const [index, shift] of [0, day, -day, 0].entries()) {
      writeFileSync(clock, `${shift}`)
      const now = Date.now() + shift
      const response = await createUser(server, `Jump ${index}`)
      expect(response.status).toBe(200)
      const { lastUpdated } = response.json() as { lastUpdated: string }
      expect(Math.abs(Date.parse(lastUpdated) - now)).toBeLessThan(day / 2)
      expect(tags).not.toContain(response.headers.etag)
      tags.add(response.headers.etag)
      const stale = await sendRequest(`${server.base}/user/1`, {
        headers: { 'if-none-match': `${response.headers.etag}` },
      })
      expect(stale.status).toBe(304)
      const post = () =>
        sendRequest(`${server.base}/department`, {
          method: 'POST',
          body: { name: `Key ${index}` },
          headers: { 'idempotency-key': `k${index}` },
        })
      const [first, second] = [await post(), await post()]
      expect([first.status, second.status, second.bytes]).toEqual([201, 201, first.bytes])
    }
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
    // The log may have a new file for the new day.
    const files = readdirSync(folder).filter((name) => name.startsWith('access.log'))
    const textIn = (name: string) => {
      const bytes = readFileSync(join(folder, name))
      return `${name.endsWith('.gz') ? gunzipSync(bytes) : bytes}`
    }
    const lines = files.flatMap((name) => textIn(name).split('\n').slice(0, -1))
    expect(lines).toHaveLength(17)
    const days = new Set(lines.map((line) => Math.round(((parseLine(line)?.time ?? 0) - Date.now()) / day)))
    expect(days).toEqual(new Set([0, 1, -1]))
  })
})

describe('a log whose folder was removed', () => {
  it('does not affect requests, is reported once, and continues when the folder exists again', async () => {
    const folder = join(temporaryFolder(), 'log')
    const log = join(folder, 'access.log')
    const server = await serveDirectory(['--database', 'sqlite::memory:', '--access-log', log])
    expect((await readUser(server)).status).toBe(200)
    const response = () => {
      try {
        return readFileSync(log, 'utf8')
      } catch {
        return ''
      }
    }
    await waitUntil(() => response().includes('GET /user/1'), 5000, 'the first line is written')
    rmSync(folder, { recursive: true })
    // A file with the name of the folder, so that the folder cannot be created.
    writeFileSync(folder, '')
    expect((await createUser(server, 'Meanwhile')).status).toBe(200)
    await waitUntil(() => server.stderr() !== '', 10_000, 'the error is reported')
    expect(server.stderr()).toContain(`The access log ${log} cannot be written. The service continues without it.`)
    rmSync(folder)
    mkdirSync(folder)
    expect((await readUser(server)).status).toBe(200)
    await waitUntil(
      () => response().includes('PATCH /user/1') && response().includes('GET /user/1'),
      10_000,
      'both lines are written',
    )
  })
})
