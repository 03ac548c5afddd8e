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

function opened(path: string, rotation?: { size: number; keep: number }) {
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
  it('is put aside when it is full, compressed, and only so many are kept', async () => {
    const path = temporaryLog()
    const { log, faults } = opened(path, { size: 1000, keep: 2 })
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 20; index++) log.write(`${round} ${index} ${'x'.repeat(60)}`)
      await log.flush()
    }
    const aside = () => namesBeside(path).filter((name) => name.endsWith('.gz'))
    await expect.poll(aside, { timeout: 10_000 }).toEqual([`access.log.${today()}.3.gz`, `access.log.${today()}.4.gz`])
    expect(linesOf(path).filter((line) => line.startsWith('4 '))).toHaveLength(20)
    expect(linesOf(path).filter((line) => line.startsWith('3 '))).toHaveLength(20)
    expect([faults, existsSync(`${path}.rotating`)]).toEqual([[], false])
  })

  it('gets the next number of its day, also where the first of them are let go already', async () => {
    const path = temporaryLog()
    for (const number of [2, 9, 10]) writeFileSync(`${path}.${today()}.${number}.gz`, '')
    const { log } = opened(path, { size: 1, keep: 9 })
    log.write('full')
    await log.flush()
    log.write('next')
    await log.flush()
    expect(namesBeside(path)).toContain(`access.log.${today()}.11`)
  })

  it('is put aside when it is of another day', async () => {
    const path = temporaryLog()
    writeFileSync(path, 'yesterday\n')
    const then = new Date(Date.now() - 86_400_000)
    utimesSync(path, then, then)
    const { log } = opened(path, { size: 1e9, keep: 9 })
    log.write('today')
    await log.flush()
    expect(readFileSync(path, 'utf8')).toBe('today\n')
    const aside = `access.log.${then.toISOString().slice(0, 10)}`
    expect(namesBeside(path)).toEqual(['access.log', aside])
  })

  it('goes on in a new file when other tools move or remove it', async () => {
    const path = temporaryLog()
    const { log } = opened(path)
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

  it('is not in the way of a process that died while it rotated', async () => {
    const path = temporaryLog()
    writeFileSync(`${path}.rotating`, '')
    const { log } = opened(path, { size: 10, keep: 9 })
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

  it('of several processes that all rotate it loses no line', { timeout: 60_000 }, async () => {
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
    const found = linesOf(path).map((line) => line.split(' ').slice(0, 2).join(' '))
    expect(new Set(found).size).toBe(6000)
    expect(found).toHaveLength(6000)
    expect(namesBeside(path).length).toBeGreaterThan(5)
  })
})
