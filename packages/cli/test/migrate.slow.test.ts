// `nomen migrate`, and what `nomen serve` does by itself, on a database that an earlier declaration made.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, serve } from './nomen.ts'

const serviceWith = (fields: string, resource = '') => `
  import { api, choice, date, identity, integer, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const ticket = noun('ticket', { id: identity(), ${fields} })
  const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket, { ${resource} })] })
  export default service({ name: 'desk', apis: [desk] })
`
const first = serviceWith('title: text(), note: text()', "search: ['title']")

/** A folder whose database was made, and filled with two tickets, by the first declaration. */
async function folderOfFirst(): Promise<string> {
  const folder = serviceFolder({ 'service.ts': first })
  const served = await serve([], { folder })
  for (const title of ['Printer', 'ΣΊΣΥΦΟΣ']) {
    const { status } = await ask(`${served.base}/ticket`, { method: 'POST', body: { title, note: `of ${title}` } })
    expect(status).toBe(201)
  }
  served.kill('SIGTERM')
  expect((await served.ended).code).toBe(0)
  return folder
}

function declare(folder: string, fields: string, resource?: string): void {
  writeFiles(folder, { 'service.ts': serviceWith(fields, resource) })
}

/** Schema and rows of the tickets, read apart from the service. */
function stored(folder: string): { sql: string[]; rows: Record<string, unknown>[] } {
  const database = new DatabaseSync(join(folder, 'data/desk.db'))
  try {
    const sql = database.prepare("select sql from sqlite_schema where tbl_name = 'ticket' order by name").all()
    const rows = database.prepare('select * from "ticket" order by "id"').all()
    return { sql: sql.map((row) => `${row.sql}`), rows: rows.map((row) => ({ ...row })) }
  } finally {
    database.close()
  }
}

async function tickets(base: string, query = ''): Promise<Record<string, unknown>[]> {
  const answer = await ask(`${base}/ticket${query}`)
  expect(answer.status).toBe(200)
  return (answer.json() as { results: Record<string, unknown>[] }).results
}

describe('a start', () => {
  it('makes safe changes by itself and keeps every record', async () => {
    const folder = await folderOfFirst()
    declare(
      folder,
      "title: text(), note: text(), due: date().nullable(), status: choice('OPEN', 'DONE').default('OPEN')",
      "search: ['title', 'note']",
    )
    const served = await serve([], { folder })
    expect(await tickets(served.base)).toEqual([
      { id: 1, title: 'Printer', note: 'of Printer', due: null, status: 'OPEN' },
      { id: 2, title: 'ΣΊΣΥΦΟΣ', note: 'of ΣΊΣΥΦΟΣ', due: null, status: 'OPEN' },
    ])
    expect(await tickets(served.base, '?search=OF%20σίσυφος')).toMatchObject([{ id: 2 }])
    const patched = await ask(`${served.base}/ticket/1`, { method: 'PATCH', body: { due: '2026-11-15' } })
    expect(patched.json()).toMatchObject({ id: 1, due: '2026-11-15' })
  })

  it.each([
    ['dropped', 'title: text()', /drop field "note" of "ticket"/],
    ['retyped', 'title: text(), note: integer()', /"note".* of "ticket"/],
  ])('stops at a %s field, names what to do and changes nothing', async (_, fields, message) => {
    const folder = await folderOfFirst()
    const before = stored(folder)
    declare(folder, fields)
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: The database does not fit the declarations\. Nothing was changed\.\n/)
    expect(errors).toMatch(message)
    expect(errors).toContain('nomen migrate --plan')
    expect(errors).not.toMatch(/^ +at /m)
    expect(stored(folder)).toEqual(before)
    writeFiles(folder, { 'service.ts': first })
    expect(await tickets((await serve([], { folder })).base)).toHaveLength(2)
  })

  it('keeps the values of a field under its new name', async () => {
    const folder = await folderOfFirst()
    declare(folder, "subject: text().renamedFrom('title'), note: text()", "search: ['subject']")
    const served = await serve([], { folder })
    expect(await tickets(served.base, '?search=print')).toEqual([{ id: 1, subject: 'Printer', note: 'of Printer' }])
    const made = await ask(`${served.base}/ticket`, { method: 'POST', body: { subject: 'New', note: '' } })
    expect(made.json()).toEqual({ id: 3, subject: 'New', note: '' })
  })
})

describe('nomen migrate', () => {
  it('--plan prints the exact SQL and changes nothing; --apply does just that', async () => {
    const folder = await folderOfFirst()
    const before = stored(folder)
    declare(folder, 'title: text(), due: date().nullable()', "search: ['title']")
    const planned = await nomen(['migrate', '--plan'], { folder })
    expect(planned).toMatchObject({ code: 0, errors: '' })
    expect(planned.output).toMatch(/^UNSAFE .*drop field "note" of "ticket"/m)
    expect(planned.output).toMatch(/^2 steps\. Nothing was changed: --apply makes them\.$/m)
    expect(stored(folder)).toEqual(before)

    // The printed statements, run by hand on a copy of the database, give what --apply gives.
    const copy = serviceFolder({ 'service.ts': first })
    cpSync(join(folder, 'data'), join(copy, 'data'), { recursive: true })
    const byHand = new DatabaseSync(join(copy, 'data/desk.db'), { enableForeignKeyConstraints: false })
    byHand.exec(statementsOf(planned.output))
    byHand.close()

    const applied = await nomen(['migrate', '--apply'], { folder })
    expect(applied).toMatchObject({ code: 0, errors: '' })
    expect(applied.output).toMatch(/^UNSAFE .*drop field "note"/m)
    expect(applied.output).toMatch(/^2 steps made in sqlite:data\/desk\.db\.$/m)
    expect(stored(folder)).toEqual(stored(copy))

    const again = await Promise.all([
      nomen(['migrate', '--plan'], { folder }),
      nomen(['migrate', '--apply'], { folder }),
    ])
    for (const one of again)
      expect(one).toMatchObject({ code: 0, errors: '', output: 'sqlite:data/desk.db is up to date.\n' })
    const served = await serve([], { folder })
    expect(await tickets(served.base)).toEqual([
      { id: 1, title: 'Printer', due: null },
      { id: 2, title: 'ΣΊΣΥΦΟΣ', due: null },
    ])
  })

  it('plans a safe change as safe, and a rename as one that keeps its values', async () => {
    const folder = await folderOfFirst()
    declare(folder, "subject: text().renamedFrom('title'), note: text(), due: date().nullable()", "search: ['subject']")
    const { code, output } = await nomen(['migrate', '--plan'], { folder })
    expect(code).toBe(0)
    expect(output).toMatch(/^safe {3}.*"subject"/m)
    expect(output).not.toContain('UNSAFE')
    expect((await nomen(['migrate', '--apply'], { folder })).code).toBe(0)
    const served = await serve([], { folder })
    expect(await tickets(served.base)).toMatchObject([{ subject: 'Printer' }, { subject: 'ΣΊΣΥΦΟΣ' }])
  })

  it('names what is in its way, in the plan as well, and changes nothing', async () => {
    const folder = await folderOfFirst()
    const served = await serve([], { folder })
    await ask(`${served.base}/ticket/2`, { method: 'PATCH', body: { title: 'Printer' } })
    served.kill('SIGTERM')
    await served.ended
    const before = stored(folder)
    declare(folder, 'title: text().unique(), note: text()', "search: ['title']")
    const obstacles: (string | undefined)[] = []
    for (const given of [['migrate', '--apply'], ['serve']]) {
      const { code, errors } = await nomen([...given], { folder, environment: { PORT: '0' } })
      expect(code).toBe(1)
      expect(errors).toMatch(/^nomen: The database does not fit the declarations\. Nothing was changed\.\n/)
      expect(errors).not.toMatch(/^ +at /m)
      obstacles.push(/^ +- (.*"title".*)$/m.exec(errors)?.[1])
    }
    expect(obstacles).toEqual([expect.stringContaining('title'), obstacles[0]])
    const planned = await nomen(['migrate', '--plan'], { folder })
    expect(planned.output).toContain(obstacles[0])
    expect(stored(folder)).toEqual(before)
  })

  it('takes the database from the flag, then from the environment', async () => {
    const folder = serviceFolder({ 'service.ts': first })
    const environment = { DATABASE_URL: 'sqlite:environment.db' }
    const flag = await nomen(['migrate', '--apply', '--database', 'sqlite:flag.db'], { folder, environment })
    expect(flag.output).toMatch(/ made in sqlite:flag\.db\.\n$/)
    expect(['flag.db', 'environment.db', 'data/desk.db'].map((file) => existsSync(join(folder, file)))).toEqual([
      true,
      false,
      false,
    ])
    expect((await nomen(['migrate', '--apply'], { folder, environment })).output).toMatch(/sqlite:environment\.db\.\n$/)
  })

  it('--plan of a database that is not there makes no file', async () => {
    const folder = serviceFolder({ 'service.ts': first })
    const { code, output } = await nomen(['migrate', '--plan'], { folder })
    expect(code).toBe(0)
    expect(output).toMatch(/^safe {3}add noun "ticket"$/m)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('nomen migrate on PostgreSQL', () => {
  /** The address of an empty database, with a password in it, and the rows of a query. */
  async function database() {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const address = new URL(url)
    address.password = 'secret'
    const query = async (sql: string) => {
      const client = new pg.Client(url)
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    }
    return { address: address.href, query }
  }

  it('--plan prints SQL that may be run by hand, --apply makes it, and neither shows the password', async () => {
    const [one, other] = [await database(), await database()]
    const folder = serviceFolder({ 'service.ts': first })
    const run = (mode: string, address: string) => nomen(['migrate', mode, '--database', address], { folder })
    expect((await run('--apply', one.address)).output).toMatch(/ made in postgres:\/\/nomen@[^:]+:\d+\/\w+\.\n$/)
    await other.query(statementsOf((await run('--plan', other.address)).output))
    const insert = `insert into "ticket" ("title", "title_folded", "note") values ('Printer', 'printer', '12')`
    for (const { query } of [one, other]) await query(insert)

    declare(folder, 'title: text(), note: integer(), due: date().nullable()', "search: ['title']")
    const planned = await run('--plan', one.address)
    expect(planned).toMatchObject({ code: 0, errors: '' })
    expect(planned.output).toMatch(/^UNSAFE .*change field "note" of "ticket" from text to integer/m)
    await other.query(`begin; ${statementsOf(planned.output)}; commit`)
    const applied = await run('--apply', one.address)
    for (const { address, query } of [one, other]) {
      expect(await query('select "note", "due" from "ticket"')).toEqual([{ note: '12', due: null }])
      expect((await run('--plan', address)).output).toMatch(/^postgres:\/\/nomen@[^:]+:\d+\/\w+ is up to date\.\n$/)
    }
    expect(`${planned.output}${applied.output}`).not.toContain('secret')
  })

  it('says why there is no connection, without the password', async () => {
    const folder = serviceFolder({ 'service.ts': first })
    const { address } = await database()
    const none = new URL(address)
    none.pathname = '/nowhere'
    for (const database of [
      none.href,
      'postgres://nomen:secret@127.0.0.1:1/desk',
      'postgres://nomen:sec/ret@host/desk',
    ]) {
      const { code, output, errors } = await nomen(['migrate', '--plan', '--database', database], { folder })
      expect([code, output]).toEqual([1, ''])
      expect(errors).toMatch(/^nomen: The database "postgres:.*" cannot be opened: /)
      expect(errors).not.toMatch(/secret|sec\/|ret@|^ +at /m)
    }
  })
})

/** The SQL of a plan: what is indented. */
function statementsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.startsWith('         '))
  expect(lines.length).toBeGreaterThan(0)
  return lines.map((line) => line.slice(9)).join('\n')
}
