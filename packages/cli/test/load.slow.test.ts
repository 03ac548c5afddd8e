// `nomen load` as a process: its input files, output and exit codes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type CommandResult, nomen, serve, start } from './nomen.ts'
import { figures, noteServiceFolder, notes, rows } from './note-service.ts'
import { sendRequest } from './send-request.ts'

describe('nomen load', () => {
  it('loads a file into the database of a service, which then serves it', async () => {
    const folder = noteServiceFolder({
      'people.csv': 'id,name,mail,boss\n7,Ann,ann@b.c,9\n9,Bob,bob@b.c,\n',
      'notes.csv': notes(2),
    })
    const loaded = await nomen(['load', 'person', 'people.csv'], { folder })
    expect(loaded).toMatchObject({ code: 0, errors: '' })
    expect(loaded.output).toMatch(
      /^ {2}loaded {5}2\n {2}unchanged {2}0\n {2}rejected {3}0\n {2}[\d.]+ s, [\d,]+ records per second\n$/,
    )
    await nomen(['load', 'note', 'notes.csv'], { folder })
    writeFileSync(join(folder, 'links.ndjson'), '{"person":7,"note":1}\n{"note":2,"person":7}\n{"person":8,"note":2}\n')
    const links = await nomen(['load', 'person-note', 'links.ndjson'], { folder })
    expect([links.code, links.errors]).toEqual([1, 'line 3: person 8 does not exist.\n'])
    const { base } = await serve([], { folder })
    expect((await sendRequest(`${base}/person/7`)).json()).toEqual({ id: 7, name: 'Ann', mail: 'ann@b.c', boss: 9 })
    const linked = (await sendRequest(`${base}/person/7/note`)).json() as { pageInfo: { numberOfRecords: number } }
    expect(linked.pageInfo.numberOfRecords).toBe(2)
  })

  it('loads an export for spreadsheets, without formulas, as the same records', async () => {
    const people =
      '{"id":7,"name":"=cmd|x","mail":"ann@b.c","boss":null}\n{"id":9,"name":"\'-1","mail":"b@b.c","boss":7}\n'
    const folder = noteServiceFolder({ 'people.ndjson': people })
    await nomen(['load', 'person', 'people.ndjson'], { folder })
    const sheet = await nomen(['export', 'person', '-', '--format', 'csv', '--spreadsheet'], { folder })
    expect(sheet.output).toBe("'id,name,mail,boss\n7,'=cmd|x,ann@b.c,\n9,''-1,b@b.c,7\n")
    writeFileSync(join(folder, 'people.csv'), sheet.output)
    const otherDatabase = ['--database', 'sqlite:other.db']
    expect(await nomen(['load', 'person', 'people.csv', ...otherDatabase], { folder })).toMatchObject({
      code: 0,
      errors: '',
    })
    expect((await nomen(['export', 'person', ...otherDatabase], { folder })).output).toBe(people)
    const rejected = await nomen(['export', 'person', 'a.json', '--spreadsheet'], { folder })
    expect([rejected.code, rejected.errors]).toEqual([
      2,
      'nomen: --spreadsheet needs the format csv, but the format is json.\n  Use a name that ends in .csv, or --format csv.\n',
    ])
  })

  it('loads files of json-server, also compressed, and reports rejected records by number', async () => {
    const people = [
      { id: 7, name: 'Ann', mail: 'ann@b.c' },
      { id: 8, name: 'Bob', mail: 'nonsense' },
    ]
    const folder = noteServiceFolder({
      'db.json': JSON.stringify({ notes: [{ title: 'a' }], person: people }, null, 2),
    })
    writeFileSync(join(folder, 'notes.csv.gz'), gzipSync(notes(3)))
    const loaded = await nomen(['load', 'person', 'db.json', '--rejects', 'rejects.ndjson'], { folder })
    expect([loaded.code, loaded.errors]).toEqual([1, 'record 2: "mail" must be an e-mail address, not "nonsense".\n'])
    expect(JSON.parse(readFileSync(join(folder, 'rejects.ndjson'), 'utf8'))).toMatchObject({ record: 2 })
    const rejected = await nomen(['load', 'note', 'db.json'], { folder })
    expect([rejected.code, rejected.errors]).toEqual([
      1,
      'nomen: The file is an object without an array "note": it has "notes", "person".\n  Specify the array that has the records: --member notes\n',
    ])
    expect(figures(await nomen(['load', 'note', 'notes.csv.gz'], { folder }))[0]).toBe('3')
    const exported = await nomen(['export', 'note', 'all.json.gz'], { folder })
    expect(exported.code).toBe(0)
    const bytes = readFileSync(join(folder, 'all.json.gz'))
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveLength(3)
    expect(figures(await nomen(['load', 'note', 'all.json.gz'], { folder }))[2]).toBe('3')
    writeFileSync(join(folder, 'short.json.gz'), bytes.subarray(0, -20))
    const short = await nomen(['load', 'note', 'short.json.gz'], { folder })
    expect([short.code, short.errors]).toEqual([1, expect.stringContaining('short.json.gz cannot be decompressed: ')])
  })

  it('prints the first rejected lines, writes all of them with --rejects, and exits with 1', async () => {
    const invalidLines = Array.from({ length: 30 }, (_, index) => `P${index},nonsense ${index},\n`)
    const folder = noteServiceFolder({
      'people.csv': `name,mail,boss\nAnn,ann@b.c,\n${invalidLines.join('')}"Bob\n",b"ob@b.c,\n`,
    })
    const [withoutFile, exported] = [
      await nomen(['load', 'person', 'people.csv'], { folder }),
      await nomen(['load', 'person', 'people.csv', '--rejects', 'rejects.ndjson'], { folder }),
    ]
    expect([withoutFile.code, exported.code]).toEqual([1, 1])
    const lines = withoutFile.errors.split('\n')
    expect(lines).toHaveLength(22)
    expect(lines[0]).toBe('line 3: "mail" must be an e-mail address, not "nonsense 0".')
    expect(lines[20]).toBe('More lines were rejected. Use --rejects <file> to write all of them.')
    expect(exported.errors).toContain('More lines were rejected: see rejects.ndjson.\n')
    expect(figures(withoutFile)).toEqual(['1', undefined, '0', '32'])
    const rejects = readFileSync(join(folder, 'rejects.ndjson'), 'utf8').trimEnd().split('\n')
    expect(rejects).toHaveLength(32)
    expect(JSON.parse(`${rejects[0]}`)).toEqual({
      line: 3,
      reason: '"mail" must be an e-mail address, not "nonsense 0".',
      text: 'P0,nonsense 0,',
    })
    expect(JSON.parse(`${rejects[30]}`)).toMatchObject({ line: 33, text: '"Bob' })
  })

  it('reads standard input in each format, and reports the effect of a second run', async () => {
    const folder = noteServiceFolder()
    const piped = async (args: readonly string[], input: string): Promise<CommandResult> => {
      const running = start(['load', ...args], { folder, input })
      return running.exit
    }
    const people = await piped(['person', '-'], '{"name":"Ann","mail":"ann@b.c"}\n{"name":"Bob","mail":"bob@b.c"}')
    expect([people.code, people.errors, figures(people)]).toEqual([0, '', ['2', undefined, '0', '0']])
    expect(people.output).not.toContain('second run')
    const notes = await piped(['note', '-', '--format=csv'], 'title\nA\n')
    expect(figures(notes)).toEqual(['1', undefined, '0', '0'])
    expect(notes.output).toContain('A second run with standard input would load them again.')
  })

  it('updates records with --update, and reports differences without it', async () => {
    const folder = noteServiceFolder({ 'one.csv': 'id,name,mail\n1,Ann,ann@b.c\n', 'two.csv': 'id,name\n1,Anna\n' })
    await nomen(['load', 'person', 'one.csv'], { folder })
    const rejected = await nomen(['load', 'person', 'two.csv'], { folder })
    expect([rejected.code, rejected.errors]).toEqual([
      1,
      'nomen: The required column "mail" is missing.\n  The header has id, name.\n',
    ])
    writeFileSync(join(folder, 'three.csv'), 'id,name,mail\n1,Anna,ann@b.c\n')
    const unchangedLoad = await nomen(['load', 'person', 'three.csv'], { folder })
    expect(unchangedLoad.output).toMatch(
      /^ {2}unchanged {2}1 {3}1 differ from the file\. Use --update to overwrite them$/m,
    )
    expect(unchangedLoad.code).toBe(0)
    const updated = await nomen(['load', 'person', 'two.csv', '--update'], { folder })
    expect(figures(updated)).toEqual(['0', '1', '0', '0'])
    expect(rows(folder, 'select "name", "mail" from "person"')).toEqual([{ name: 'Anna', mail: 'ann@b.c' }])
  })

  it('reports wrong arguments with a hint, and creates no files', async () => {
    const folder = noteServiceFolder({ 'people.csv': 'id,nmae\n' })
    const results = await Promise.all(
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
      ].map((args) => nomen(args, { folder })),
    )
    expect(results.map(({ code, output }) => [code, output])).toEqual(
      [2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 1].map((code) => [code, '']),
    )
    const [first, , none, folders, format, many, rejects, noun, memory, bare, text, service, database] = results.map(
      ({ errors }) => errors,
    )
    expect(first).toBe('nomen: load needs a noun or link, and a file.\n  For example: nomen load user users.csv\n')
    expect(none).toBe('nomen: File not found: none.csv.\n  Use a CSV, NDJSON or JSON file, or - for standard input.\n')
    expect(folders).toMatch(/^nomen: node_modules is a folder\.\n/)
    expect(format).toBe('nomen: --format must be csv, ndjson or json, but is "xml".\n')
    expect(many).toBe('nomen: Unexpected argument "more".\n  Expected: <noun> <file> <service file or folder>\n')
    expect(rejects).toMatch(/^nomen: --rejects is no\/where, which cannot be written: ENOENT/)
    expect(noun).toMatch(/^nomen: Unknown noun "persn"\. Did you mean "person"\?\n/)
    expect(memory).toMatch(
      /^nomen: The database ":memory:" cannot be opened: its data would be lost when the command ends\.\n/,
    )
    expect(bare).toBe('nomen: export needs a noun or link.\n  For example: nomen export user users.csv\n')
    expect(text).toBe(
      'nomen: The format of people.txt is unknown.\n  Use a name that ends in .csv, .ndjson or .json, or set --format.\n',
    )
    expect(service).toBe(
      'nomen: service.ts is a service file or folder, not a file for the records.\n  Specify the output file first, then the service file.\n',
    )
    expect(database).toMatch(/^nomen: The database "none\.db" cannot be opened: the file does not exist\.\n/)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})
