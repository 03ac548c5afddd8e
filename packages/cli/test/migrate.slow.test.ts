// `nomen migrate`, and the automatic changes of `nomen serve`, on a database of an earlier declaration.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, serve } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const serviceWith = (fields: string, resource = '') => `
  import { api, choice, date, identity, integer, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const ticket = noun('ticket', { id: identity(), ${fields} })
  const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket, { ${resource} })] })
  export default service({ name: 'desk', apis: [desk] })
`
const first = serviceWith('title: text(), note: text()', "search: ['title']")

/** A folder with a database of the first declaration that has two tickets. */
async function folderOfFirstVersion(): Promise<string> {
  const folder = serviceFolder({ 'service.ts': first })
  const server = await serve([], { folder })
  for (const title of ['Printer', 'ΣΊΣΥΦΟΣ']) {
    const { status } = await sendRequest(`${server.base}/ticket`, {
      method: 'POST',
      body: { title, note: `of ${title}` },
    })
    expect(status).toBe(201)
  }
  server.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
  return folder
}

function declareFields(folder: string, fields: string, resource?: string): void {
  writeFiles(folder, { 'service.ts': serviceWith(fields, resource) })
}

/** Schema and rows of the tickets, read without the service. */
function readTickets(folder: string): { sql: string[]; rows: Record<string, unknown>[] } {
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
  const response = await sendRequest(`${base}/ticket${query}`)
  expect(response.status).toBe(200)
  return (response.json() as { results: Record<string, unknown>[] }).results
}

describe('a start', () => {
  it('applies safe changes and keeps every record', async () => {
    const folder = await folderOfFirstVersion()
    declareFields(
      folder,
      "title: text(), note: text(), due: date().nullable(), status: choice('OPEN', 'DONE').default('OPEN')",
      "search: ['title', 'note']",
    )
    const server = await serve([], { folder })
    expect(await tickets(server.base)).toEqual([
      { id: 1, title: 'Printer', note: 'of Printer', due: null, status: 'OPEN' },
      { id: 2, title: 'ΣΊΣΥΦΟΣ', note: 'of ΣΊΣΥΦΟΣ', due: null, status: 'OPEN' },
    ])
    expect(await tickets(server.base, '?search=OF%20σίσυφος')).toMatchObject([{ id: 2 }])
    const patched = await sendRequest(`${server.base}/ticket/1`, { method: 'PATCH', body: { due: '2026-11-15' } })
    expect(patched.json()).toMatchObject({ id: 1, due: '2026-11-15' })
  })

  it.each([
    ['dropped', 'title: text()', /drop field "note" of "ticket"/],
    ['retyped', 'title: text(), note: integer()', /"note".* of "ticket"/],
  ])('fails for a %s field with a hint, and changes nothing', async (_, fields, message) => {
    const folder = await folderOfFirstVersion()
    const before = readTickets(folder)
    declareFields(folder, fields)
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: The database does not match the declarations\. Nothing was changed\.\n/)
    expect(errors).toMatch(message)
    expect(errors).toContain('nomen migrate --plan')
    expect(errors).not.toMatch(/^ +at /m)
    expect(readTickets(folder)).toEqual(before)
    writeFiles(folder, { 'service.ts': first })
    expect(await tickets((await serve([], { folder })).base)).toHaveLength(2)
  })

  it('rejects a rename, which --apply makes without loss of values', async () => {
    const folder = await folderOfFirstVersion()
    declareFields(folder, "subject: text().renamedFrom('title'), note: text()", "search: ['subject']")
    const { code, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, errors]).toEqual([1, expect.stringContaining("Keep the column with .column('title')")])
    expect((await nomen(['migrate', '--apply', '--yes'], { folder })).code).toBe(0)
    const server = await serve([], { folder })
    expect(await tickets(server.base, '?search=print')).toEqual([{ id: 1, subject: 'Printer', note: 'of Printer' }])
    const created = await sendRequest(`${server.base}/ticket`, { method: 'POST', body: { subject: 'New', note: '' } })
    expect(created.json()).toEqual({ id: 3, subject: 'New', note: '' })
  })
})

describe('nomen migrate', () => {
  it('--plan prints the SQL and changes nothing; --apply runs it', async () => {
    const folder = await folderOfFirstVersion()
    const before = readTickets(folder)
    declareFields(folder, 'title: text(), due: date().nullable()', "search: ['title']")
    const planned = await nomen(['migrate', '--plan'], { folder })
    expect(planned).toMatchObject({ code: 0, errors: '' })
    expect(planned.output).toMatch(/^UNSAFE .*drop field "note" of "ticket"/m)
    expect(planned.output).toMatch(/^2 steps\. Nothing was changed\. Run --apply to apply them\.$/m)
    expect(readTickets(folder)).toEqual(before)

    // The printed statements, run on a copy of the database, have the same effect as --apply.
    const copy = serviceFolder({ 'service.ts': first })
    cpSync(join(folder, 'data'), join(copy, 'data'), { recursive: true })
    const byHand = new DatabaseSync(join(copy, 'data/desk.db'), { enableForeignKeyConstraints: false })
    byHand.exec(statementsOf(planned.output))
    byHand.close()

    const rejected = await nomen(['migrate', '--apply'], { folder })
    expect([rejected.code, rejected.errors]).toEqual([
      1,
      'nomen: 1 step is unsafe: the migration may delete or convert values in sqlite:data/desk.db, and instances of other versions may fail. Nothing was changed.\n  Create a backup, then run the command with --yes.\n',
    ])
    expect(rejected.output).toMatch(/^UNSAFE .*drop field "note"/m)
    expect(readTickets(folder)).toEqual(before)

    const applied = await nomen(['migrate', '--apply', '--yes'], { folder })
    expect(applied).toMatchObject({ code: 0, errors: '' })
    expect(applied.output).toMatch(/^UNSAFE .*drop field "note"/m)
    expect(applied.output).toMatch(/^2 steps applied to sqlite:data\/desk\.db\.$/m)
    expect(readTickets(folder)).toEqual(readTickets(copy))

    const again = await Promise.all([
      nomen(['migrate', '--plan'], { folder }),
      nomen(['migrate', '--apply'], { folder }),
    ])
    for (const result of again)
      expect(result).toMatchObject({ code: 0, errors: '', output: 'sqlite:data/desk.db is up to date.\n' })
    const server = await serve([], { folder })
    expect(await tickets(server.base)).toEqual([
      { id: 1, title: 'Printer', due: null },
      { id: 2, title: 'ΣΊΣΥΦΟΣ', due: null },
    ])
  })

  it('--expand adds what is missing, and --contract drops what is no longer declared', async () => {
    const folder = await folderOfFirstVersion()
    declareFields(folder, 'title: text(), note: text().nullable(), due: date().nullable()', "search: ['title']")
    const planned = await nomen(['migrate', '--expand', '--plan'], { folder })
    expect(planned.output).toMatch(/^safe {3}.*add field "due" to "ticket"/m)
    expect(planned.output).toMatch(/Run --expand to apply them\.$/m)
    expect((await nomen(['migrate', '--expand'], { folder })).output).toMatch(/^2 steps applied/m)
    declareFields(folder, 'title: text(), due: date().nullable()', "search: ['title']")
    expect((await nomen(['migrate', '--expand'], { folder })).output).toMatch(/is up to date\.$/m)
    const rejected = await nomen(['migrate', '--contract'], { folder })
    expect([rejected.code, rejected.output]).toEqual([
      1,
      expect.stringMatching(/^UNSAFE .*drop field "note" of "ticket"/),
    ])
    expect((await nomen(['migrate', '--contract', '--yes'], { folder })).code).toBe(0)
    const server = await serve([], { folder })
    expect(await tickets(server.base)).toMatchObject([{ title: 'Printer', due: null }, { title: 'ΣΊΣΥΦΟΣ' }])
  })

  it('reports obstacles, also with --plan, and changes nothing', async () => {
    const folder = await folderOfFirstVersion()
    const server = await serve([], { folder })
    await sendRequest(`${server.base}/ticket/2`, { method: 'PATCH', body: { title: 'Printer' } })
    server.kill('SIGTERM')
    await server.exit
    const before = readTickets(folder)
    declareFields(folder, 'title: text().unique(), note: text()', "search: ['title']")
    const obstacles: (string | undefined)[] = []
    for (const args of [['migrate', '--apply'], ['serve']]) {
      const { code, errors } = await nomen([...args], { folder, environment: { PORT: '0' } })
      expect(code).toBe(1)
      expect(errors).toMatch(/^nomen: The database does not match the declarations\. Nothing was changed\.\n/)
      expect(errors).not.toMatch(/^ +at /m)
      obstacles.push(/^ +- (.*"title".*)$/m.exec(errors)?.[1])
    }
    expect(obstacles).toEqual([expect.stringContaining('title'), obstacles[0]])
    const planned = await nomen(['migrate', '--plan'], { folder })
    expect(planned.output).toContain(obstacles[0])
    expect(readTickets(folder)).toEqual(before)
  })

  it('uses the database of the flag, then of the environment', async () => {
    const folder = serviceFolder({ 'service.ts': first })
    const environment = { DATABASE_URL: 'sqlite:environment.db' }
    const flag = await nomen(['migrate', '--apply', '--database', 'sqlite:flag.db'], { folder, environment })
    expect(flag.output).toMatch(/ applied to sqlite:flag\.db\.\n$/)
    expect(['flag.db', 'environment.db', 'data/desk.db'].map((file) => existsSync(join(folder, file)))).toEqual([
      true,
      false,
      false,
    ])
    expect((await nomen(['migrate', '--apply'], { folder, environment })).output).toMatch(/sqlite:environment\.db\.\n$/)
  })

  it('--plan does not create a database file', async () => {
    const folder = serviceFolder({ 'service.ts': first })
    const { code, output } = await nomen(['migrate', '--plan'], { folder })
    expect(code).toBe(0)
    expect(output).toMatch(/^safe {3}add noun "ticket"$/m)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('nomen migrate on PostgreSQL', () => {
  /** The URL of an empty database, with a password, and a function that runs a query. */
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

  it('--plan prints SQL that can be run manually, --apply runs it, and neither prints the password', async () => {
    const [firstDatabase, secondDatabase] = [await database(), await database()]
    const folder = serviceFolder({ 'service.ts': first })
    const run = (mode: string, address: string) => nomen(['migrate', mode, '--yes', '--database', address], { folder })
    expect((await run('--apply', firstDatabase.address)).output).toMatch(
      / applied to postgres:\/\/nomen@[^:]+:\d+\/\w+\.\n$/,
    )
    await secondDatabase.query(statementsOf((await run('--plan', secondDatabase.address)).output))
    const insert = `insert into "ticket" ("title", "title_folded", "note") values ('Printer', 'printer', '12')`
    for (const { query } of [firstDatabase, secondDatabase]) await query(insert)

    declareFields(folder, 'title: text(), note: integer(), due: date().nullable()', "search: ['title']")
    const planned = await run('--plan', firstDatabase.address)
    expect(planned).toMatchObject({ code: 0, errors: '' })
    expect(planned.output).toMatch(/^UNSAFE .*change field "note" of "ticket" from text to integer/m)
    await secondDatabase.query(`begin; ${statementsOf(planned.output)}; commit`)
    const applied = await run('--apply', firstDatabase.address)
    for (const { address, query } of [firstDatabase, secondDatabase]) {
      expect(await query('select "note", "due" from "ticket"')).toEqual([{ note: '12', due: null }])
      expect((await run('--plan', address)).output).toMatch(/^postgres:\/\/nomen@[^:]+:\d+\/\w+ is up to date\.\n$/)
    }
    expect(`${planned.output}${applied.output}`).not.toContain('secret')
  })

  it('reports why the connection fails, without the password', async () => {
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

/** The SQL of a plan: its indented lines. */
function statementsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.startsWith('         '))
  expect(lines.length).toBeGreaterThan(0)
  return lines.map((line) => line.slice(9)).join('\n')
}
