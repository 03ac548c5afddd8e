// What goes wrong around a service: each has a clear answer, and is over without a restart. docs/reliability.md has all.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseLine } from '@nomen/core'
import { unhurried } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { wayTo } from '@nomen/testing/way'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, ask } from './ask.ts'
import { temporaryFolder } from './folder.ts'
import { type Served, serve, until } from './nomen.ts'

const environment = { SAMPLE_USERS: '20', ...unhurried }

function serveDirectory(flags: readonly string[], more: Parameters<typeof serve>[1] = {}): Promise<Served> {
  return serve(['apps/directory', ...flags], { environment, ...more })
}

const read = ({ base }: Served) => ask(`${base}/user/1`)
const write = ({ base }: Served, firstName: string) => ask(`${base}/user/1`, { method: 'PATCH', body: { firstName } })
const nameOf = (answer: Answer) => (answer.json() as { firstName: string }).firstName

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
  expect(answer.json()).toMatchObject({ code: 'unavailable', status: 503 })
}

/** Of util-linux: a view of the file system of one's own. */
const ownMounts = ['unshare', '--user', '--map-root-user', '--mount']
const canMount =
  spawnSync(ownMounts[0] as string, [...ownMounts.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe.runIf(canMount)('a file that is read-only', () => {
  it('is read, answers 503 to writes, and is written once it can be', async () => {
    const folder = temporaryFolder()
    const flags = ['--database', `sqlite:${join(folder, 'directory.db')}`, '--access-log', '/dev/null']
    const first = await serveDirectory(flags)
    // As a disk that fails ends it: what SQLite keeps beside the file is left behind.
    first.kill('SIGKILL')
    await first.ended
    const mount = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`
    const served = await serveDirectory(flags, { under: [...ownMounts, 'sh', '-c', mount, folder] })
    const { status, ...before } = await read(served)
    expect(status).toBe(200)
    expectUnavailable(await write(served, 'Refused'))
    expect(nameOf(await read(served))).toBe((before.json() as { firstName: string }).firstName)
    // Outside of its view of the file system, the folder can be written all the time.
    const [path, away] = [join(folder, 'directory.db'), join(folder, 'away.db')]
    renameSync(path, away)
    mkdirSync(path)
    const inside = ['--target', `${served.pid}`, '--user', '--mount', '--preserve-credentials']
    execFileSync('nsenter', [...inside, 'mount', '-o', 'remount,bind,rw', folder])
    // It cannot be opened anew, neither to be written nor to be read.
    for (const answer of [await write(served, 'Refused'), await read(served)]) expectUnavailable(answer)
    rmSync(path, { recursive: true })
    renameSync(away, path)
    expect(nameOf(await read(served))).toBe((before.json() as { firstName: string }).firstName)
    expect((await write(served, 'Written')).status).toBe(200)
    expect(nameOf(await read(served))).toBe('Written')
    expect(served.complained()).toContain('readonly database')
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })
})

describe('a database that is slow', () => {
  it('is waited for as long as it answers, is given up when it does not, and is used again', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const way = await wayTo(url)
    onTestFinished(() => way.close())
    const served = await serveDirectory(['--database', way.url, '--access-log', '/dev/null'])
    way.delay(150)
    const slow = await Promise.all([read(served), write(served, 'Slow'), ask(`${served.base}/user?pageSize=5`)])
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200])
    way.delay(60_000)
    for (const answer of await Promise.all([read(served), ask(`${served.base}/user?pageSize=5`)]))
      expectUnavailable(answer)
    way.delay(0)
    way.cut()
    await expect.poll(async () => (await write(served, 'Quick')).status, { timeout: 20_000 }).toBe(200)
    expect(nameOf(await read(served))).toBe('Quick')
  })
})

describe('a clock that jumps', () => {
  it('by a day, ahead or back, stops nothing: records, tags, keys and the log go on', async () => {
    const folder = temporaryFolder()
    const [clock, log] = [join(folder, 'clock'), join(folder, 'access.log')]
    const day = 86_400_000
    writeFileSync(clock, '0')
    const preload = `--import=${join(import.meta.dirname, 'clock.ts')}`
    const served = await serveDirectory(['--database', 'sqlite::memory:', '--access-log', log], {
      environment: { ...environment, CLOCK_FILE: clock, NODE_OPTIONS: preload },
    })
    const tags = new Set([(await read(served)).headers.etag])
    for (const [at, shift] of [0, day, -day, 0].entries()) {
      writeFileSync(clock, `${shift}`)
      const now = Date.now() + shift
      const written = await write(served, `Jump ${at}`)
      expect(written.status).toBe(200)
      const { lastUpdated } = written.json() as { lastUpdated: string }
      expect(Math.abs(Date.parse(lastUpdated) - now)).toBeLessThan(day / 2)
      expect(tags).not.toContain(written.headers.etag)
      tags.add(written.headers.etag)
      const stale = await ask(`${served.base}/user/1`, { headers: { 'if-none-match': `${written.headers.etag}` } })
      expect(stale.status).toBe(304)
      const post = () =>
        ask(`${served.base}/department`, {
          method: 'POST',
          body: { name: `Key ${at}` },
          headers: { 'idempotency-key': `k${at}` },
        })
      const [one, other] = [await post(), await post()]
      expect([one.status, other.status, other.bytes]).toEqual([201, 201, one.bytes])
    }
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
    // a new day may have begun a new file
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

describe('a log whose folder is gone', () => {
  it('stops no request, is told once, and goes on when the folder is back', async () => {
    const folder = join(temporaryFolder(), 'log')
    const log = join(folder, 'access.log')
    const served = await serveDirectory(['--database', 'sqlite::memory:', '--access-log', log])
    expect((await read(served)).status).toBe(200)
    const written = () => {
      try {
        return readFileSync(log, 'utf8')
      } catch {
        return ''
      }
    }
    await until(() => written().includes('GET /user/1'), 5000, 'the first line is there')
    rmSync(folder, { recursive: true })
    // A file in its place: no folder can be made there.
    writeFileSync(folder, '')
    expect((await write(served, 'Meanwhile')).status).toBe(200)
    await until(() => served.complained() !== '', 10_000, 'it is told')
    expect(served.complained()).toContain(`The access log ${log} cannot be written. The service goes on.`)
    rmSync(folder)
    mkdirSync(folder)
    expect((await read(served)).status).toBe(200)
    await until(
      () => written().includes('PATCH /user/1') && written().includes('GET /user/1'),
      10_000,
      'both lines are there',
    )
  })
})
