import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AccessLogFile } from './access-log-file.ts'

function temporaryLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'access.log')
}

function openLog(path: string, rotation?: { size: number; keep: number }) {
  const faults: Error[] = []
  const log = new AccessLogFile(path, { onFault: (error) => faults.push(error) }, rotation)
  onTestFinished(() => log.close())
  return { log, faults }
}

const today = () => new Date().toISOString().slice(0, 10)
const namesBeside = (path: string) => readdirSync(join(path, '..')).sort()

/** Every line that the log and all that was put aside of it hold. */
function linesOf(path: string): string[] {
  return namesBeside(path).flatMap((name) => {
    const bytes = readFileSync(join(path, '..', name))
    return `${name.endsWith('.gz') ? gunzipSync(bytes) : bytes}`.split('\n').filter((line) => line !== '')
  })
}

describe('a log', () => {
  it('is rotated and compressed when it is full, and old files are deleted', async () => {
    const path = temporaryLog()
    const { log, faults } = openLog(path, { size: 1000, keep: 2 })
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 20; index++) log.write(`${round} ${index} ${'x'.repeat(60)}`)
      await log.flush()
    }
    const aside = () => namesBeside(path).filter((name) => name.endsWith('.gz'))
    await expect.poll(aside).toEqual([`access.log.${today()}.3.gz`, `access.log.${today()}.4.gz`])
    expect(linesOf(path).filter((line) => line.startsWith('4 '))).toHaveLength(20)
    expect(linesOf(path).filter((line) => line.startsWith('3 '))).toHaveLength(20)
    expect([faults, existsSync(`${path}.rotating`)]).toEqual([[], false])
  })

  it('gets the next number of its day, even if the first files were deleted', async () => {
    const path = temporaryLog()
    for (const number of [2, 9, 10]) writeFileSync(`${path}.${today()}.${number}.gz`, '')
    const { log } = openLog(path, { size: 1, keep: 9 })
    log.write('full')
    await log.flush()
    log.write('next')
    await log.flush()
    expect(namesBeside(path)).toContain(`access.log.${today()}.11`)
  })

  it('is rotated on another day', async () => {
    const path = temporaryLog()
    writeFileSync(path, 'yesterday\n')
    const then = new Date(Date.now() - 86_400_000)
    utimesSync(path, then, then)
    const { log } = openLog(path, { size: 1e9, keep: 9 })
    log.write('today')
    await log.flush()
    expect(readFileSync(path, 'utf8')).toBe('today\n')
    const aside = `access.log.${then.toISOString().slice(0, 10)}`
    expect(namesBeside(path)).toEqual(['access.log', aside])
  })

  it('continues in a new file when other tools move or remove it', async () => {
    const path = temporaryLog()
    const { log } = openLog(path)
    log.write('one')
    await log.flush()
    await rename(path, `${path}.1`)
    log.write('two')
    await log.flush()
    rmSync(path)
    log.write('three')
    await log.flush()
    expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['one\n', 'three\n'])
  })

  it('is rotated even if a process was killed during a rotation', async () => {
    const path = temporaryLog()
    writeFileSync(`${path}.rotating`, '')
    const { log } = openLog(path, { size: 10, keep: 9 })
    log.write('x'.repeat(20))
    await log.flush()
    log.write('y')
    await log.flush()
    expect(namesBeside(path)).toEqual(['access.log', 'access.log.rotating'])
    const then = new Date(Date.now() - 120_000)
    utimesSync(`${path}.rotating`, then, then)
    log.write('z')
    await log.flush()
    expect(namesBeside(path)).toEqual(['access.log', `access.log.${today()}`])
  })

  it('of several processes that all rotate it loses no line', async () => {
    const path = temporaryLog()
    const script = join(path, '..', '..', `${Math.random()}.ts`)
    onTestFinished(() => rmSync(script, { force: true }))
    const source = JSON.stringify(join(import.meta.dirname, 'access-log-file.ts'))
    writeFileSync(
      script,
      `import { AccessLogFile } from ${source}
      const [path, name] = process.argv.slice(2)
      const log = new AccessLogFile(path, { onFault: (error) => { console.error(error); process.exitCode = 7 } }, { size: 2_000, keep: 9999 })
      for (let batch = 0; batch < 200; batch++) {
        for (let index = 0; index < 10; index++) log.write(name + ' ' + (batch * 10 + index) + ' ' + 'x'.repeat(40))
        await log.flush()
      }
      await log.close()`,
    )
    const children = ['a', 'b', 'c'].map((name) => spawn(process.execPath, [script, path, name], { stdio: 'inherit' }))
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
    expect(codes).toEqual([0, 0, 0])
    const entries = linesOf(path).map((line) => line.split(' ').slice(0, 2).join(' '))
    expect(new Set(entries).size).toBe(6000)
    expect(entries).toHaveLength(6000)
    expect(namesBeside(path).length).toBeGreaterThan(5)
  })

  it('loses no line of a process that is suspended while another one rotates and compresses the log', async () => {
    const path = temporaryLog()
    const script = join(path, '..', '..', `${Math.random()}.ts`)
    onTestFinished(() => rmSync(script, { force: true }))
    writeFileSync(script, standstill(join(import.meta.dirname, 'access-log-file.ts')))
    // The only thread for files stands still at another step each time.
    const child = spawn(process.execPath, [script, join(path, '..')], { env: { UV_THREADPOOL_SIZE: '1' } })
    let output = ''
    child.stdout.on('data', (part) => {
      output += part
    })
    child.stderr.on('data', (part) => {
      output += part
    })
    await once(child, 'close')
    expect(output).toBe('')
  })
})

/** Prints what is lost. The writer is stopped by a pipe that nobody writes to yet, which its thread waits to open. */
function standstill(module: string): string {
  return `import { execFileSync } from 'node:child_process'
    import { mkdirSync, open, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
    import { setImmediate as turn } from 'node:timers/promises'
    import { gunzipSync, gzipSync } from 'node:zlib'
    import { AccessLogFile } from ${JSON.stringify(module)}
    for (let steps = 0; steps < 40; steps++) {
      const folder = process.argv[2] + '/' + steps
      mkdirSync(folder)
      const [path, pipe] = [folder + '/access.log', folder + '/pipe']
      execFileSync('mkfifo', [pipe], { env: { PATH: ${JSON.stringify(process.env.PATH)} } })
      const log = new AccessLogFile(path, { onFault: (error) => console.log(error) })
      log.write('first')
      await log.flush()
      log.write('second')
      const flushed = log.flush()
      for (let step = 0; step < steps; step++) await turn()
      const opened = new Promise((resolve) => open(pipe, 'r', resolve))
      for (let step = 0; step < 20; step++) await turn()
      renameSync(path, path + '.1')
      writeFileSync(path + '.1.gz', gzipSync(readFileSync(path + '.1')))
      rmSync(path + '.1')
      openSync(pipe, 'w')
      await opened
      await flushed
      await log.close()
      const texts = readdirSync(folder).filter((name) => name !== 'pipe').map((name) => {
        const bytes = readFileSync(folder + '/' + name)
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
      })
      for (const line of ['first', 'second']) if (!texts.join('').includes(line + '\\n')) console.log(steps, line, 'is lost')
    }`
}
