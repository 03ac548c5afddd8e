// Database failures during a load: loaded records remain, and the next run loads the others.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { nomenArguments } from '@nomen/testing/compiled'
import { type PostgresServer, startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, start, waitUntil } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, { search: ['title'] })] })
  export default service({ name: 'notes', apis: [notes] })
`
const length = 40_000
const file = `title\n${Array.from({ length }, (_, index) => `Note ${index}\n`).join('')}`
const prlimit = 'prlimit'
const canLimit = spawnSync(prlimit, ['--version']).status === 0
const hint = 'Loaded records are kept. Run the load again when the database is available. It loads no record twice.'

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  return server
}

/** Runs a query on a separate connection; undefined if the table or the server does not exist. */
async function queryOnce(url: string, query: string): Promise<Record<string, string> | undefined> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(query)).rows[0]
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

const counting = 'select count(*) as "count", count(distinct "title") as "titles" from "note"'

describe.runIf(canLimit)('a full disk', () => {
  it('ends a load with a clear message, and the next one loads the other records', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    const full = await nomen(['load', 'note', 'notes.csv'], {
      folder,
      under: [prlimit, '--fsize=400000:unlimited'],
      // Compiled modules may be larger than the limit.
      environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    expect([full.code, full.output]).toEqual([1, ''])
    expect(full.errors).toMatch(
      /^nomen: The database stopped accepting records: (disk I\/O error|database or disk is full)\.\n/,
    )
    expect(full.errors).toContain(hint)
    const second = await nomen(['load', 'note', 'notes.csv'], { folder })
    expect(second).toMatchObject({ code: 0, errors: '' })
    const database = new DatabaseSync(join(folder, 'data/notes.db'))
    expect({ ...database.prepare(counting).get() }).toEqual({ count: length, titles: length })
    database.close()
  })
})

describe('a load into PostgreSQL', () => {
  it('that is killed loads the other records in the next run, each once', async () => {
    const server = await startServer()
    const url = await server.createDatabase()
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    let before = 0
    for (const wait of [0, 100]) {
      const running = start(['load', 'note', 'notes.csv', '--database', url], { folder })
      const countLoaded = async () => Number((await queryOnce(url, counting))?.count ?? 0)
      while ((await countLoaded()) === before) await pause(10)
      await pause(wait)
      running.kill('SIGKILL')
      await running.exit
      const now = await countLoaded()
      expect(now).toBeGreaterThan(before)
      expect(now).toBeLessThan(length)
      before = now
    }
    const second = await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })
    expect(second.code).toBe(0)
    expect(second.output).toMatch(/^ {2}unchanged +[1-9]/m)
    expect(await queryOnce(url, counting)).toEqual({ count: `${length}`, titles: `${length}` })
  })

  it('whose server stops ends with a clear message, and the next run continues', async () => {
    const server = await startServer()
    const url = await server.createDatabase()
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    const running = start(['load', 'note', 'notes.csv', '--database', url], { folder })
    let count = 0
    while (count === 0) {
      count = Number((await queryOnce(url, counting))?.count ?? 0)
      await pause(10)
    }
    await server.stop()
    const { code, output, errors } = await running.exit
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: The database stopped accepting records: .*\.\n/m)
    expect(errors).toContain(hint)
    const stoppedLoad = await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })
    expect([stoppedLoad.code, stoppedLoad.errors]).toEqual([
      1,
      expect.stringMatching(/^nomen: The database ".*" cannot be opened: no server responds/),
    ])
    await server.start()
    expect((await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })).code).toBe(0)
    expect(await queryOnce(url, counting)).toEqual({ count: `${length}`, titles: `${length}` })
    const exported = await nomen(['export', 'note', '--format=csv', '--database', url], { folder })
    expect([exported.code, exported.output.split('\n').length]).toEqual([0, length + 2])
  })
})

describe('a load', () => {
  it('stops if another process changes the schema', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const running = spawn(process.execPath, [...nomenArguments, 'load', 'note', '-'], {
      cwd: folder,
    })
    onTestFinished(() => void running.kill('SIGKILL'))
    let errors = ''
    running.stderr.on('data', (part) => {
      errors += part
    })
    const exit = once(running, 'close')
    const path = join(folder, 'data/notes.db')
    // The command ends without reading all of its input.
    running.stdin.on('error', () => undefined).write(file.slice(0, 10_000))
    const isLoading = () => {
      try {
        const database = new DatabaseSync(path, { readOnly: true })
        const { count } = database.prepare(counting).get() ?? {}
        database.close()
        return Number(count) > 0
      } catch {
        return false
      }
    }
    await waitUntil(isLoading, 30_000, 'it loads')
    const changed = noteService.replace('title: text()', "title: text(), words: text().default('')")
    writeFiles(folder, { 'changed.ts': changed })
    expect((await nomen(['migrate', 'changed.ts', '--apply'], { folder })).code).toBe(0)
    running.stdin.end(file.slice(10_000))
    expect(await exit).toEqual([1, null])
    expect(errors).toContain('Another version of the service changed the database schema')
  })
})
