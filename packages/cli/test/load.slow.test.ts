// `nomen load` and `nomen export` as processes: what they say, how they end, and what a kill leaves behind.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ask, connections } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { type Ended, nomen, root, serve, start, until } from './nomen.ts'

const deskService = `
  import { api, email, identity, link, noun, reference, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text(), body: text().default('') })
  const person = noun('person', {
    id: identity(), name: text(), mail: email().unique(), boss: reference(() => person).nullable(),
  })
  const personNote = link(person, note)
  const desk = api('desk', {
    versioning: 'per-noun', writes: 'nested',
    resources: [resource(note), resource(person, { children: [resource(note, { via: personNote })] })],
  })
  export default service({ name: 'desk', apis: [desk] })
`

function deskFolder(files: Readonly<Record<string, string>> = {}): string {
  return serviceFolder({ 'service.ts': deskService, ...files })
}

/** Rows of a table, read apart from the command. */
function rows(folder: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'data/desk.db'), { readOnly: true })
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

function count(folder: string, table: string): number {
  return Number(rows(folder, `select count(*) as "count" from "${table}"`)[0]?.count)
}

/** What it ends with, in the order told: loaded, already there, rejected. */
function figures({ output }: Ended): (string | undefined)[] {
  return ['loaded', 'updated', 'already there', 'rejected'].map(
    (name) => new RegExp(`^ {2}${name} +([\\d,]+)`, 'm').exec(output)?.[1],
  )
}

const notes = (length: number) => `title\n${Array.from({ length }, (_, at) => `Note ${at}\n`).join('')}`
const people = (length: number) =>
  `name,mail,boss\n${Array.from({ length }, (_, at) => `P${at},p${at}@example.com,\n`).join('')}`

describe('nomen load', () => {
  it('loads a file into the database of a service, which then serves it', async () => {
    const folder = deskFolder({
      'people.csv': 'id,name,mail,boss\n7,Ann,ann@b.c,9\n9,Bob,bob@b.c,\n',
      'notes.csv': notes(2),
    })
    const loaded = await nomen(['load', 'person', 'people.csv'], { folder })
    expect(loaded).toMatchObject({ code: 0, errors: '' })
    expect(loaded.output).toMatch(
      /^ {2}loaded {9}2\n {2}already there {2}0\n {2}rejected {7}0\n {2}[\d.]+ s, [\d,]+ records a second\n$/,
    )
    await nomen(['load', 'note', 'notes.csv'], { folder })
    writeFileSync(join(folder, 'links.ndjson'), '{"person":7,"note":1}\n{"note":2,"person":7}\n{"person":8,"note":2}\n')
    const links = await nomen(['load', 'person-note', 'links.ndjson'], { folder })
    expect([links.code, links.errors]).toEqual([1, 'line 3: person 8 does not exist.\n'])
    const { base } = await serve([], { folder })
    expect((await ask(`${base}/person/7`)).json()).toEqual({ id: 7, name: 'Ann', mail: 'ann@b.c', boss: 9 })
    const linked = (await ask(`${base}/person/7/note`)).json() as { pageInfo: { numberOfRecords: number } }
    expect(linked.pageInfo.numberOfRecords).toBe(2)
  })

  it('takes an export for spreadsheets, which has no formulas, as the same records', async () => {
    const people =
      '{"id":7,"name":"=cmd|x","mail":"ann@b.c","boss":null}\n{"id":9,"name":"\'-1","mail":"b@b.c","boss":7}\n'
    const folder = deskFolder({ 'people.ndjson': people })
    await nomen(['load', 'person', 'people.ndjson'], { folder })
    const sheet = await nomen(['export', 'person', '-', '--format', 'csv', '--spreadsheet'], { folder })
    expect(sheet.output).toBe("'id,name,mail,boss\n7,'=cmd|x,ann@b.c,\n9,''-1,b@b.c,7\n")
    writeFileSync(join(folder, 'people.csv'), sheet.output)
    const other = ['--database', 'sqlite:other.db']
    expect(await nomen(['load', 'person', 'people.csv', ...other], { folder })).toMatchObject({ code: 0, errors: '' })
    expect((await nomen(['export', 'person', ...other], { folder })).output).toBe(people)
    const refused = await nomen(['export', 'person', 'a.json', '--spreadsheet'], { folder })
    expect([refused.code, refused.errors]).toEqual([
      2,
      'nomen: --spreadsheet is for CSV, and this is json.\n  Call the file .csv, or give --format csv.\n',
    ])
  })

  it('takes what json-server keeps, compressed too, and tells rejected records by their number', async () => {
    const people = [
      { id: 7, name: 'Ann', mail: 'ann@b.c' },
      { id: 8, name: 'Bob', mail: 'nonsense' },
    ]
    const folder = deskFolder({ 'db.json': JSON.stringify({ notes: [{ title: 'a' }], person: people }, null, 2) })
    writeFileSync(join(folder, 'notes.csv.gz'), gzipSync(notes(3)))
    const loaded = await nomen(['load', 'person', 'db.json', '--rejects', 'rejects.ndjson'], { folder })
    expect([loaded.code, loaded.errors]).toEqual([1, 'record 2: "mail" must be an e-mail address, not "nonsense".\n'])
    expect(JSON.parse(readFileSync(join(folder, 'rejects.ndjson'), 'utf8'))).toMatchObject({ record: 2 })
    const refused = await nomen(['load', 'note', 'db.json'], { folder })
    expect([refused.code, refused.errors]).toEqual([
      1,
      'nomen: The file is an object without an array "note": it has "notes", "person".\n  Name the one with the records: --member notes\n',
    ])
    expect(figures(await nomen(['load', 'note', 'notes.csv.gz'], { folder }))[0]).toBe('3')
    const written = await nomen(['export', 'note', 'all.json.gz'], { folder })
    expect(written.code).toBe(0)
    const bytes = readFileSync(join(folder, 'all.json.gz'))
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveLength(3)
    expect(figures(await nomen(['load', 'note', 'all.json.gz'], { folder }))[2]).toBe('3')
    writeFileSync(join(folder, 'short.json.gz'), bytes.subarray(0, -20))
    const short = await nomen(['load', 'note', 'short.json.gz'], { folder })
    expect([short.code, short.errors]).toEqual([1, expect.stringContaining('short.json.gz cannot be unpacked: ')])
  })

  it('shows the first rejected lines, writes all of them where it is told to, and ends with 1', async () => {
    const wrong = Array.from({ length: 30 }, (_, at) => `P${at},nonsense ${at},\n`)
    const folder = deskFolder({ 'people.csv': `name,mail,boss\nAnn,ann@b.c,\n${wrong.join('')}"Bob\n",b"ob@b.c,\n` })
    const [shown, written] = [
      await nomen(['load', 'person', 'people.csv'], { folder }),
      await nomen(['load', 'person', 'people.csv', '--rejects', 'rejects.ndjson'], { folder }),
    ]
    expect([shown.code, written.code]).toEqual([1, 1])
    const lines = shown.errors.split('\n')
    expect(lines).toHaveLength(22)
    expect(lines[0]).toBe('line 3: "mail" must be an e-mail address, not "nonsense 0".')
    expect(lines[20]).toBe('More lines are rejected. --rejects <file> writes all of them.')
    expect(written.errors).toContain('More lines are rejected: see rejects.ndjson.\n')
    expect(figures(shown)).toEqual(['1', undefined, '0', '32'])
    const rejects = readFileSync(join(folder, 'rejects.ndjson'), 'utf8').trimEnd().split('\n')
    expect(rejects).toHaveLength(32)
    expect(JSON.parse(`${rejects[0]}`)).toEqual({
      line: 3,
      reason: '"mail" must be an e-mail address, not "nonsense 0".',
      text: 'P0,nonsense 0,',
    })
    expect(JSON.parse(`${rejects[30]}`)).toMatchObject({ line: 33, text: '"Bob' })
  })

  it('takes standard input, in either format, and says what a second run would do', async () => {
    const folder = deskFolder()
    const piped = async (given: readonly string[], input: string): Promise<Ended> => {
      const running = start(['load', ...given], { folder, input })
      return running.ended
    }
    const people = await piped(['person', '-'], '{"name":"Ann","mail":"ann@b.c"}\n{"name":"Bob","mail":"bob@b.c"}')
    expect([people.code, people.errors, figures(people)]).toEqual([0, '', ['2', undefined, '0', '0']])
    expect(people.output).not.toContain('second run')
    const notes = await piped(['note', '-', '--format=csv'], 'title\nA\n')
    expect(figures(notes)).toEqual(['1', undefined, '0', '0'])
    expect(notes.output).toContain('standard input cannot be read twice: a second run would load them again.')
  })

  it('updates where it is told to, and says what differs where it is not', async () => {
    const folder = deskFolder({ 'one.csv': 'id,name,mail\n1,Ann,ann@b.c\n', 'two.csv': 'id,name\n1,Anna\n' })
    await nomen(['load', 'person', 'one.csv'], { folder })
    const refused = await nomen(['load', 'person', 'two.csv'], { folder })
    expect([refused.code, refused.errors]).toEqual([
      1,
      'nomen: The file has no column "mail", and no record can be without.\n  The header names id, name.\n',
    ])
    writeFileSync(join(folder, 'three.csv'), 'id,name,mail\n1,Anna,ann@b.c\n')
    const left = await nomen(['load', 'person', 'three.csv'], { folder })
    expect(left.output).toMatch(/^ {2}already there {2}1 {3}1 with other values in the file: --update takes these$/m)
    expect(left.code).toBe(0)
    const updated = await nomen(['load', 'person', 'two.csv', '--update'], { folder })
    expect(figures(updated)).toEqual(['0', '1', '0', '0'])
    expect(rows(folder, 'select "name", "mail" from "person"')).toEqual([{ name: 'Anna', mail: 'ann@b.c' }])
  })

  it('called wrongly says what to do, and makes nothing', async () => {
    const folder = deskFolder({ 'people.csv': 'id,nmae\n' })
    const ended = await Promise.all(
      [
        ['load'],
        ['load', 'person'],
        ['load', 'person', 'none.csv'],
        ['load', 'person', 'node_modules'],
        ['load', 'person', 'people.csv', '--format', 'xml'],
        ['load', 'person', 'people.csv', '.', 'more'],
        ['load', 'person', 'people.csv', '--rejects', 'no/where'],
        ['load', 'persn', 'people.csv'],
        ['load', 'person', 'people.csv', '--database', 'sqlite::memory:'],
        ['export'],
        ['export', 'person', 'people.txt'],
        ['export', 'person', 'service.ts', 'people.csv'],
        ['export', 'person', 'people.csv', '--database', 'sqlite:none.db'],
      ].map((given) => nomen(given, { folder })),
    )
    expect(ended.map(({ code, output }) => [code, output])).toEqual(
      [2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 1].map((code) => [code, '']),
    )
    const [first, , none, folders, format, many, rejects, noun, memory, bare, text, service, database] = ended.map(
      ({ errors }) => errors,
    )
    expect(first).toBe('nomen: nomen load needs a noun and a file.\n  Such as: nomen load user users.csv\n')
    expect(none).toBe(
      'nomen: There is no file none.csv.\n  Name a CSV, NDJSON or JSON file, or - for standard input.\n',
    )
    expect(folders).toMatch(/^nomen: node_modules is a folder\.\n/)
    expect(format).toBe('nomen: --format is "xml".\n  Give csv, ndjson or json.\n')
    expect(many).toBe('nomen: "more" is one name too many.\n  Give one noun, one file, one service file or folder.\n')
    expect(rejects).toMatch(/^nomen: --rejects names no\/where, which cannot be written: ENOENT/)
    expect(noun).toMatch(/^nomen: There is no noun "persn"\. Did you mean "person"\?\n/)
    expect(memory).toMatch(/^nomen: The database ":memory:" cannot be opened: it would be gone with this command\.\n/)
    expect(bare).toBe('nomen: nomen export needs a noun.\n  Such as: nomen export user users.csv\n')
    expect(text).toBe(
      'nomen: The name people.txt tells no format.\n  Call it .csv, .ndjson or .json, or give --format.\n',
    )
    expect(service).toBe('nomen: service.ts is no file for records.\n  Name the file first, then the service file.\n')
    expect(database).toMatch(/^nomen: The database "none\.db" cannot be opened: there is no such file\.\n/)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it.each([
    ['records that only the mark tells', 'note', notes(60_000)],
    ['records with unique values', 'person', people(30_000)],
  ])('loads %s once each, however often it is killed', async (_, noun, file) => {
    const folder = deskFolder({ 'file.csv': file })
    const expected = file.split('\n').length - 2
    const left: number[] = [0]
    for (const wait of [0, 60, 150]) {
      const before = left.at(-1) as number
      const running = start(['load', noun, 'file.csv'], { folder })
      await until(() => tryCount(folder, noun) > before, 30_000, 'more records are loaded')
      await pause(wait)
      running.kill('SIGKILL')
      await running.ended
      left.push(count(folder, noun))
    }
    // Each run went on where the one before was killed, and was killed in the middle itself.
    expect(left).toEqual(left.toSorted((one, other) => one - other))
    expect(left[2]).toBeLessThan(expected)
    const rest = await nomen(['load', noun, 'file.csv'], { folder })
    expect(rest).toMatchObject({ code: 0 })
    const last = await nomen(['load', noun, 'file.csv'], { folder })
    expect([last.code, last.errors]).toEqual([0, expect.any(String)])
    expect(figures(last)).toEqual(['0', undefined, expected.toLocaleString('en-US'), '0'])
    const name = noun === 'note' ? 'title' : 'name'
    const distinct = rows(folder, `select count(distinct "${name}") as "count" from "${noun}"`)
    expect([count(folder, noun), distinct]).toEqual([expected, [{ count: expected }]])
    expect(rows(folder, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  it('ends when it is told to, says how far it came, and goes on the next time', async () => {
    const folder = deskFolder({ 'notes.csv': notes(60_000) })
    const running = start(['load', 'note', 'notes.csv'], { folder })
    await until(() => tryCount(folder, 'note') > 0, 30_000, 'records are loaded')
    running.kill('SIGINT')
    const stopped = await running.ended
    expect([stopped.code, stopped.errors]).toEqual([1, ''])
    expect(stopped.output).toMatch(/\nStopped before the end\. Run it again to load the rest\.\n$/)
    const [loaded] = figures(stopped)
    expect(count(folder, 'note').toLocaleString('en-US')).toBe(loaded)
    const rest = await nomen(['load', 'note', 'notes.csv'], { folder })
    expect(figures(rest)[2]).toBe(loaded)
    expect(rest.output).toMatch(
      /\nRecords up to line [\d,]+ were loaded from this file before \(.* UTC\)\. --again loads/,
    )
    expect(count(folder, 'note')).toBe(60_000)
    const again = await nomen(['load', 'note', 'notes.csv', '--again'], { folder })
    expect(figures(again)[0]).toBe('60,000')
  })

  it('ends when it is told to while it waits for standard input', async () => {
    const folder = deskFolder()
    const child = spawn(process.execPath, [join(root, 'packages/cli/src/nomen.ts'), 'load', 'note', '-'], {
      cwd: folder,
    })
    const ended = once(child, 'close')
    child.stdin.write('title\nA\nB')
    await until(() => existsSync(join(folder, 'data/desk.db')), 20_000, 'it has begun')
    await pause(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(count(folder, 'note')).toBe(0)
  })

  it('lets a service that is serving answer and write at all times', async () => {
    const folder = deskFolder({ 'people.csv': people(15_000) })
    const { base } = await serve([], { folder })
    const agent = connections(8)
    const loading = start(['load', 'person', 'people.csv'], { folder })
    let isOver = false
    void loading.ended.then(() => {
      isOver = true
    })
    const statuses = new Map<string, number>()
    const client = async (at: number) => {
      for (let turn = 0; !isOver; turn++) {
        const isWrite = at % 2 === 0
        const { status } = await (isWrite
          ? ask(`${base}/note`, { method: 'POST', body: { title: `${at} ${turn}` }, agent })
          : ask(`${base}/person?pageSize=1`, { agent }))
        const key = `${isWrite ? 'POST' : 'GET'} ${status}`
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, at) => client(at)))
    expect(await loading.ended).toMatchObject({ code: 0, signal: null })
    expect(new Set(statuses.keys())).toEqual(new Set(['POST 201', 'GET 200']))
    expect(count(folder, 'note')).toBe(statuses.get('POST 201'))
    expect(count(folder, 'person')).toBe(15_000)
  })
})

describe('nomen export', () => {
  it('writes a file that is there only when it is complete, and that can be loaded again', async () => {
    const folder = deskFolder({ 'people.csv': people(3000) })
    await nomen(['load', 'person', 'people.csv'], { folder })
    for (const file of ['all.csv', 'all.ndjson']) {
      const exported = await nomen(['export', 'person', file], { folder })
      expect(exported).toMatchObject({ code: 0, errors: '' })
      expect(exported.output).toMatch(new RegExp(`^3,000 records of person in ${file}, [\\d.]+ s\\n$`))
      const other = deskFolder({ [file]: readFileSync(join(folder, file), 'utf8') })
      expect(figures(await nomen(['load', 'person', file], { folder: other }))[0]).toBe('3,000')
      await nomen(['export', 'person', `again-${file}`], { folder: other })
      expect(readFileSync(join(other, `again-${file}`), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'))
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    }
  })

  it('writes to standard output, and says the rest on standard error', async () => {
    const folder = deskFolder({ 'notes.csv': 'title\nA\n' })
    await nomen(['load', 'note', 'notes.csv'], { folder })
    const [bare, dash, csv] = await Promise.all([
      nomen(['export', 'note'], { folder }),
      nomen(['export', 'note', '-', 'service.ts'], { folder }),
      nomen(['export', 'note', 'service.ts', '--format', 'csv'], { folder }),
    ])
    expect(bare.output).toBe('{"id":1,"title":"A","body":""}\n')
    expect(dash.output).toBe(bare.output)
    expect(csv.output).toBe('id,title,body\n1,A,""\n')
    for (const { code, errors } of [bare, dash, csv]) {
      expect(code).toBe(0)
      expect(errors).toMatch(/^1 record of note, [\d.]+ s\n$/)
    }
  })

  it('ends quietly where nobody reads on', async () => {
    const folder = deskFolder({ 'notes.csv': notes(20_000) })
    await nomen(['load', 'note', 'notes.csv'], { folder })
    const child = spawn(process.execPath, [join(root, 'packages/cli/src/nomen.ts'), 'export', 'note'], { cwd: folder })
    let errors = ''
    child.stderr.on('data', (part) => {
      errors += part
    })
    const ended = once(child, 'close')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect([await ended, errors]).toEqual([[1, null], ''])
  })

  it('leaves the file of before, and nothing else, when it is stopped', async () => {
    const folder = deskFolder({ 'notes.csv': notes(1), 'out.csv': 'before' })
    await nomen(['load', 'note', 'notes.csv'], { folder })
    const database = new DatabaseSync(join(folder, 'data/desk.db'))
    database.exec(`insert into "note" ("title", "body")
      with recursive "counted" ("number") as (select 1 union all select "number" + 1 from "counted" limit 400000)
      select "number", "number" from "counted"`)
    database.close()
    const running = start(['export', 'note', 'out.csv'], { folder })
    await until(() => readdirSync(folder).some((name) => name.endsWith('.part')), 20_000, 'it writes')
    running.kill('SIGINT')
    expect(await running.ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: 'nomen: Stopped before the end.\n  out.csv was not written.\n',
    })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('before')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('docs/bulk-load.md', () => {
  it('shows code that loads', async () => {
    const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, 'docs/bulk-load.md'), 'utf8')) ?? []
    const userService = deskService.replaceAll('person', 'user').replace("name: 'desk'", "name: 'directory'")
    const folder = serviceFolder({
      'service.ts': userService,
      'users.csv': 'id,name,mail\n1,Ann,ann@b.c\nx,Bob,bob@b.c\n',
      'example.ts': `import service from './service.ts'\n${example}\nconsole.log(loaded, rejected)\n`,
    })
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder })
    expect([stdout, stderr]).toEqual(['1 1\n', '3 "id" must be an integer, not "x".\n'])
  })
})

/** 0 as long as there is no table to count. */
function tryCount(folder: string, table: string): number {
  try {
    return count(folder, table)
  } catch {
    return 0
  }
}
