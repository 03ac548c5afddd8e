// `nomen export` as a process, and the example of the bulk load in the docs.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, root, start, waitUntil } from './nomen.ts'
import { figures, noteService, noteServiceFolder, notes, people } from './note-service.ts'

describe('nomen export', () => {
  it('creates the file only when it is complete, and the file can be loaded again', async () => {
    const folder = noteServiceFolder({ 'people.csv': people(3000) })
    await nomen(['load', 'person', 'people.csv'], { folder })
    for (const file of ['all.csv', 'all.ndjson']) {
      const exported = await nomen(['export', 'person', file], { folder })
      expect(exported).toMatchObject({ code: 0, errors: '' })
      expect(exported.output).toMatch(new RegExp(`^Exported 3,000 person records to ${file} in [\\d.]+ s\\.\\n$`))
      const target = noteServiceFolder({ [file]: readFileSync(join(folder, file), 'utf8') })
      expect(figures(await nomen(['load', 'person', file], { folder: target }))[0]).toBe('3,000')
      await nomen(['export', 'person', `again-${file}`], { folder: target })
      expect(readFileSync(join(target, `again-${file}`), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'))
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    }
  })

  it('writes records to standard output, and messages to standard error', async () => {
    const folder = noteServiceFolder({ 'notes.csv': 'title\nA\n' })
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
      expect(errors).toMatch(/^Exported 1 note record in [\d.]+ s\.\n$/)
    }
  })

  it('ends without an error if the reader closes the pipe', async () => {
    const folder = noteServiceFolder({ 'notes.csv': notes(20_000) })
    await nomen(['load', 'note', 'notes.csv'], { folder })
    const exportProcess = start(['export', 'note'], { folder })
    await waitUntil(() => exportProcess.stdout() !== '', 60_000, 'nomen export writes records')
    exportProcess.closeOutput()
    expect(await exportProcess.exit).toMatchObject({ code: 1, signal: null, errors: '' })
  })

  it('keeps the previous file, and leaves no other file, if it is stopped', async () => {
    const folder = noteServiceFolder({ 'notes.csv': notes(1), 'out.csv': 'before' })
    await nomen(['load', 'note', 'notes.csv'], { folder })
    const database = new DatabaseSync(join(folder, 'data/desk.db'))
    database.exec(`insert into "note" ("title", "body")
      with recursive "counted" ("number") as (select 1 union all select "number" + 1 from "counted" limit 400000)
      select "number", "number" from "counted"`)
    database.close()
    const exportProcess = start(['export', 'note', 'out.csv'], { folder })
    await waitUntil(() => readdirSync(folder).some((name) => name.endsWith('.part')), 20_000, 'it writes')
    exportProcess.kill('SIGINT')
    expect(await exportProcess.exit).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: 'nomen: The export was interrupted.\n  out.csv was not written.\n',
    })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('before')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('docs/bulk-load.md', () => {
  it('has an example that loads a file', async () => {
    const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, 'docs/bulk-load.md'), 'utf8')) ?? []
    const userService = noteService.replaceAll('person', 'user').replace("name: 'desk'", "name: 'directory'")
    const folder = serviceFolder({
      'service.ts': userService,
      'users.csv': 'id,name,mail\n1,Ann,ann@b.c\nx,Bob,bob@b.c\n',
      'example.ts': `import service from './service.ts'\n${example}\nconsole.log(loaded, rejected)\n`,
    })
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder })
    expect([stdout, stderr]).toEqual(['1 1\n', '3 "id" must be an integer, not "x".\n'])
  })
})
