// Loads whose database fails them in the middle: what was loaded stays, and the next run loads the rest.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, root, start, until } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, { search: ['title'] })] })
  export default service({ name: 'notes', apis: [notes] })
`
const length = 40_000
const file = `title\n${Array.from({ length }, (_, at) => `Note ${at}\n`).join('')}`
const prlimit = 'prlimit'
const canLimit = spawnSync(prlimit, ['--version']).status === 0
const stays = 'What was loaded stays. Run this again when the database is ready: it goes on from there.'

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  return server
}

/** Runs a query on a connection of its own; undefined where there is no such table, or no server. */
async function ask(url: string, query: string): Promise<Record<string, string> | undefined> {
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

describe.runIf(canLimit)('a disk that is full', () => {
  it('ends a load in words, and the next one loads the rest', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    const full = await nomen(['load', 'note', 'notes.csv'], { folder, under: [prlimit, '--fsize=2000000:unlimited'] })
    expect([full.code, full.output]).toEqual([1, ''])
    expect(full.errors).toMatch(
      /^nomen: The database stopped taking records: (disk I\/O error|database or disk is full)\.\n/,
    )
    expect(full.errors).toContain(stays)
    const rest = await nomen(['load', 'note', 'notes.csv'], { folder })
    expect(rest).toMatchObject({ code: 0, errors: '' })
    const database = new DatabaseSync(join(folder, 'data/notes.db'))
    expect({ ...database.prepare(counting).get() }).toEqual({ count: length, titles: length })
    database.close()
  })
})

describe('a load into PostgreSQL', () => {
  it('that is killed loads the rest the next time, each record once', async () => {
    const server = await startServer()
    const url = await server.createDatabase()
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    let before = 0
    for (const wait of [0, 100]) {
      const running = start(['load', 'note', 'notes.csv', '--database', url], { folder })
      const loaded = async () => Number((await ask(url, counting))?.count ?? 0)
      while ((await loaded()) === before) await pause(10)
      await pause(wait)
      running.kill('SIGKILL')
      await running.ended
      const now = await loaded()
      expect(now).toBeGreaterThan(before)
      expect(now).toBeLessThan(length)
      before = now
    }
    const rest = await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })
    expect(rest.code).toBe(0)
    expect(rest.output).toMatch(/^ {2}already there +[1-9]/m)
    expect(await ask(url, counting)).toEqual({ count: `${length}`, titles: `${length}` })
  })

  it('whose server is gone ends in words, and goes on when it is back', async () => {
    const server = await startServer()
    const url = await server.createDatabase()
    const folder = serviceFolder({ 'service.ts': noteService, 'notes.csv': file })
    const running = start(['load', 'note', 'notes.csv', '--database', url], { folder })
    let count = 0
    while (count === 0) {
      count = Number((await ask(url, counting))?.count ?? 0)
      await pause(10)
    }
    await server.stop()
    const { code, output, errors } = await running.ended
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: The database stopped taking records: .*\.\n/m)
    expect(errors).toContain(stays)
    const gone = await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })
    expect([gone.code, gone.errors]).toEqual([
      1,
      expect.stringMatching(/^nomen: The database ".*" cannot be opened: no server answers there/),
    ])
    await server.start()
    expect((await nomen(['load', 'note', 'notes.csv', '--database', url], { folder })).code).toBe(0)
    expect(await ask(url, counting)).toEqual({ count: `${length}`, titles: `${length}` })
    const exported = await nomen(['export', 'note', '--format=csv', '--database', url], { folder })
    expect([exported.code, exported.output.split('\n').length]).toEqual([0, length + 2])
  })
})

describe('a load', () => {
  it('does not go on in the form of a schema that another process has changed', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const running = spawn(process.execPath, [join(root, 'packages/cli/src/nomen.ts'), 'load', 'note', '-'], {
      cwd: folder,
    })
    onTestFinished(() => void running.kill('SIGKILL'))
    let errors = ''
    running.stderr.on('data', (part) => {
      errors += part
    })
    const ended = once(running, 'close')
    const path = join(folder, 'data/notes.db')
    // It ends without reading all of it.
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
    await until(isLoading, 30_000, 'it loads')
    const changed = noteService.replace('title: text()', "title: text(), words: text().default('')")
    writeFiles(folder, { 'changed.ts': changed })
    expect((await nomen(['migrate', 'changed.ts', '--apply'], { folder })).code).toBe(0)
    running.stdin.end(file.slice(10_000))
    expect(await ended).toEqual([1, null])
    expect(errors).toContain('The schema of the database was changed')
  })
})
