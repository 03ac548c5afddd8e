import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AccessLogFile } from './access-log-file.ts'

let folder: string
let faults: Error[]
const children: ChildProcess[] = []
const listener = { onFault: (error: Error) => faults.push(error) }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-log-'))
  faults = []
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const numbered = (count: number, prefix = 'line') => Array.from({ length: count }, (_, at) => `${prefix} ${at}`)

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('The condition was not met within 60 s.')
    await pause(20)
  }
}

/** Timers of the log fire only when the test advances them. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

type Child = ChildProcess & { stdout: Readable }

// a module that has `AccessLogFile` at hand, in a process of its own
async function run(script: string, ...prefix: string[]): Promise<Child> {
  const path = join(folder, `child-${Math.random()}.ts`)
  const source = JSON.stringify(join(import.meta.dirname, 'access-log-file.ts'))
  await writeFile(path, `import { AccessLogFile } from ${source}\n${script}`)
  const [command = '', ...rest] = [...prefix, process.execPath, path]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }) as Child
  children.push(child)
  return child
}

async function messageOf(child: Child): Promise<unknown> {
  const [message] = await once(child, 'message')
  return message
}

describe('a file', () => {
  it('is created with its folder when the log opens, before any line', async () => {
    const path = join(folder, 'a', 'b', 'access.log')
    const log = new AccessLogFile(path, listener)
    await until(() => existsSync(path))
    await log.close()
  })

  it('contains a line within a second, without flush or close', async () => {
    const path = join(folder, 'access.log')
    const log = new AccessLogFile(path, listener)
    await log.flush()
    stopClock()
    for (const line of ['one', 'two']) {
      log.write(line)
      // The timer of the second line may start only after the first write has ended.
      await until(() => vi.getTimerCount() > 0)
      vi.advanceTimersByTime(1000)
      await until(async () => (await readFile(path, 'utf8')).endsWith(`${line}\n`))
    }
    await log.close()
  })

  it('contains a large batch without waiting for a timer', async () => {
    const path = join(folder, 'access.log')
    const log = new AccessLogFile(path, listener)
    await log.flush()
    stopClock()
    log.write('x'.repeat(300_000))
    await until(async () => (await stat(path)).size > 300_000)
    await log.close()
  })

  it('keeps its previous content and the order of lines', async () => {
    const path = join(folder, 'access.log')
    await writeFile(path, 'before\n')
    const log = new AccessLogFile(path, listener)
    const lines = numbered(200_000)
    for (const [at, line] of lines.entries()) {
      log.write(line)
      if (at % 20_000 === 0) await pause(1)
    }
    await log.close()
    expect(linesOf(await readFile(path, 'utf8'))).toEqual(['before', ...lines])
    expect(log.dropped).toBe(0)
  })

  it('contains every accepted line when flush resolves', async () => {
    const path = join(folder, 'access.log')
    const log = new AccessLogFile(path, listener)
    for (const line of numbered(50)) {
      log.write(line)
      void log.flush()
      log.write(`${line} more`)
      await log.flush()
      expect((await readFile(path, 'utf8')).endsWith(`${line} more\n`)).toBe(true)
    }
    await log.close()
  })

  it('contains every line accepted before close, and none after', async () => {
    const path = join(folder, 'access.log')
    const log = new AccessLogFile(path, listener)
    log.write('taken')
    const closed = log.close()
    log.write('late')
    await Promise.all([closed, log.close(), log.flush()])
    expect(await readFile(path, 'utf8')).toBe('taken\n')
    expect(log.dropped).toBe(1)
  })

  it('contains whole lines of several concurrent processes', async () => {
    const path = join(folder, 'access.log')
    const writers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        run(`
          const log = new AccessLogFile(${JSON.stringify(path)}, { onFault: (error) => { throw error } })
          for (let at = 0; at < 20_000; at++) {
            log.write('${name} ' + at + ' ' + '${name}'.repeat(at % 400))
            if (at % 7_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
          }
          await log.close()
          process.disconnect()
        `),
      ),
    )
    const codes = await Promise.all(writers.map((child) => once(child, 'exit').then(([code]) => code)))
    expect(codes).toEqual([0, 0, 0, 0])
    const lines = linesOf(await readFile(path, 'utf8'))
    for (const name of ['a', 'b', 'c', 'd']) {
      const linesOfProcess = lines.filter((line) => line.startsWith(name))
      expect(linesOfProcess).toEqual(numbered(20_000, name).map((line, at) => `${line} ${name.repeat(at % 400)}`))
    }
    expect(lines).toHaveLength(80_000)
  })

  it('starts a new line after a partial line of another process', async () => {
    const path = join(folder, 'access.log')
    await writeFile(path, 'whole\nhal')
    const log = new AccessLogFile(path, listener)
    log.write('one')
    await log.flush()
    await appendFile(path, 'cut off ag')
    log.write('two')
    log.write('three')
    await log.close()
    expect(linesOf(await readFile(path, 'utf8'))).toEqual(['whole', 'hal', 'one', 'cut off ag', 'two', 'three'])
  })

  it('keeps no process alive, not even for a retry', async () => {
    const child = await run(`
      const log = new AccessLogFile('/dev/null/access.log', { onFault() {} })
      log.write('one')
      await log.flush()
      process.disconnect()
    `)
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('a fault', () => {
  it('is reported once for an unwritable path, and lines are written as soon as it is writable', async () => {
    const path = join(folder, 'taken', 'access.log')
    await writeFile(join(folder, 'taken'), 'a file where the folder should be')
    const log = new AccessLogFile(path, listener)
    await log.flush()
    log.write('one')
    await log.flush()
    await log.flush()
    expect(faults).toHaveLength(1)
    expect(log.fault).toBe(faults[0])

    await rm(join(folder, 'taken'))
    await until(() => log.fault === undefined)
    expect(await readFile(path, 'utf8')).toBe('one\n')
    await log.close()
    expect(log.dropped).toBe(0)
  })

  it('ends even without a line to write', async () => {
    await writeFile(join(folder, 'taken'), '')
    const log = new AccessLogFile(join(folder, 'taken', 'access.log'), listener)
    await until(() => log.fault !== undefined)
    await rm(join(folder, 'taken'))
    await until(() => log.fault === undefined)
    await log.close()
  })

  it.skipIf(process.getuid?.() === 0)('of missing permission ends when the permission comes', async () => {
    const path = join(folder, 'access.log')
    await chmod(folder, 0o500)
    const log = new AccessLogFile(path, listener)
    log.write('one')
    await log.flush()
    expect(faults).toMatchObject([{ code: 'EACCES' }])
    await chmod(folder, 0o700)
    await log.close()
    expect(await readFile(path, 'utf8')).toBe('one\n')
  })

  it.runIf(process.platform === 'linux')('of a full disk buffers 8 MiB of lines and drops the newest', async () => {
    const path = join(folder, 'access.log')
    await symlink('/dev/full', path)
    const log = new AccessLogFile(path, listener)
    const lines = numbered(100_000, 'x'.repeat(200))
    for (const line of lines) log.write(line)
    await log.flush()
    expect(faults).toHaveLength(1)
    expect(log.dropped).toBeGreaterThan(0)

    await rm(path)
    await log.close()
    const saved = linesOf(await readFile(path, 'utf8'))
    expect(saved).toEqual(lines.slice(0, saved.length))
    expect(saved.length + log.dropped).toBe(lines.length)
    expect((await stat(path)).size).toBeGreaterThan(8 * 1024 * 1024 - 300)
    expect((await stat(path)).size).toBeLessThanOrEqual(8 * 1024 * 1024)
  })

  it.runIf(process.platform === 'linux')('that lasts until close counts the lost lines', async () => {
    await symlink('/dev/full', join(folder, 'access.log'))
    const log = new AccessLogFile(join(folder, 'access.log'), listener)
    for (const line of numbered(7)) log.write(line)
    await log.close()
    expect(faults).toMatchObject([{ code: 'ENOSPC' }])
    expect(log.dropped).toBe(7)
  })
})

// a limit on the size of files cuts a write short in the middle of a line, as a disk does that fills up
describe.runIf(process.platform === 'linux')('a write cut short', () => {
  async function cutShort(path: string): Promise<Child> {
    const script = `
      const log = new AccessLogFile(${JSON.stringify(path)}, { onFault: (error) => process.send(error.code) })
      let count = 0
      const writeLines = () => { for (let at = 0; at < 5_000; at++) log.write('line ' + count++) }
      writeLines()
      process.on('message', async (message) => {
        if (message === 'write') return writeLines()
        await log.close()
        process.send(log.dropped)
        process.disconnect()
      })
    `
    const child = await run(script, 'prlimit', '--fsize=8192:unlimited')
    expect(await messageOf(child)).toBe('EFBIG')
    const text = await readFile(path, 'utf8')
    expect(text).toHaveLength(8192)
    expect(text.endsWith('\n')).toBe(false)
    return child
  }
  function limit(child: Child, size: string): void {
    execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${size}:unlimited`])
  }
  async function closeLog(child: Child): Promise<void> {
    child.send('close')
    expect(await messageOf(child)).toBe(0)
  }

  it('continues in the middle of the line', async () => {
    const path = join(folder, 'access.log')
    const child = await cutShort(path)
    limit(child, 'unlimited')
    await closeLog(child)
    expect(linesOf(await readFile(path, 'utf8'))).toEqual(numbered(5_000))
  })

  it('is reported again after it has ended', async () => {
    const path = join(folder, 'access.log')
    const child = await cutShort(path)
    limit(child, '60000')
    await until(async () => linesOf(await readFile(path, 'utf8')).length === 5_000)
    child.send('write')
    expect(await messageOf(child)).toBe('EFBIG')
    limit(child, 'unlimited')
    await closeLog(child)
    expect(linesOf(await readFile(path, 'utf8'))).toEqual(numbered(10_000))
  })

  it.each([
    ['was emptied', (path: string) => truncate(path)],
    ['was removed', (path: string) => rm(path)],
    ['is another one of the same size', replace],
    ['has lines of another process', (path: string) => appendFile(path, `\n${foreignLine}\n`)],
  ])('repeats the partial line as a whole when the file %s', async (_, change) => {
    const path = join(folder, 'access.log')
    const child = await cutShort(path)
    const before = linesOf(await readFile(path, 'utf8'))
    await change(path)
    limit(child, 'unlimited')
    await closeLog(child)
    const after = linesOf(await readFile(path, 'utf8'))
    const repeated = after.slice(after.indexOf(foreignLine) + 1)
    expect(repeated).toEqual(numbered(5_000).slice(before.length))
  })
  const foreignLine = 'x'.repeat(8191)
  async function replace(path: string): Promise<void> {
    await writeFile(`${path}.new`, `${foreignLine}\n`)
    await rename(`${path}.new`, path)
  }
})

describe('standard output', () => {
  it('gets every line, and nothing closes it', async () => {
    const child = await run(`
      const log = new AccessLogFile('-', { onFault: (error) => { throw error } })
      for (let at = 0; at < 50_000; at++) log.write('line ' + at)
      await log.close()
      console.log('still open')
      process.disconnect()
    `)
    const text = (await child.stdout.setEncoding('utf8').toArray()).join('')
    expect(linesOf(text)).toEqual([...numbered(50_000), 'still open'])
  })

  it('never blocks the process when its reader stops reading', async () => {
    const child = await run(`
      const log = new AccessLogFile('-', { onFault: (error) => process.send({ fault: error.message }) })
      for (let at = 0; at < 200; at++) {
        for (let line = 0; line < 1_000; line++) log.write('line ' + (at * 1_000 + line) + ' ' + 'x'.repeat(100))
        await new Promise((resolve) => setImmediate(resolve))
      }
      process.send('all lines are taken')
      await log.close()
      process.send({ dropped: log.dropped })
      process.disconnect()
    `)
    const messages: unknown[] = []
    child.on('message', (message) => messages.push(message))
    // Nobody reads the output yet: a write that waits for the reader would never return.
    await until(() => messages.length === 2)
    expect(messages).toEqual([{ fault: expect.stringContaining('fast enough') }, 'all lines are taken'])

    const lines = linesOf((await child.stdout.setEncoding('utf8').toArray()).join(''))
    await until(() => messages.length === 3)
    const { dropped } = messages[2] as { dropped: number }
    expect(lines.length + dropped).toBe(200_000)
    expect(lines.every((line, at) => line === `line ${at} ${'x'.repeat(100)}`)).toBe(true)
  })
})
