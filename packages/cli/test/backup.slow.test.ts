// `nomen backup` and `nomen restore` as processes: beside a service that writes, and when they are cut off.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ask, connections } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { nomen, serve, start, until } from './nomen.ts'

const desk = {
  'service.ts': `
    import { api, choice, identity, noun, resource, text } from '@nomen/core'
    import { service } from '@nomen/server'
    const note = noun('note', { id: identity(), title: text(), status: choice('OPEN', 'DONE').default('OPEN') })
    export default service({ name: 'desk', apis: [api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })] })
  `,
}

/** A folder whose database holds so many notes of this title. */
async function deskFolder(count = 0, title = 'old'): Promise<string> {
  const lines = Array.from({ length: count }, (_, at) => `${title} ${at} ${'x'.repeat(200)}\n`)
  const folder = serviceFolder({ ...desk, 'notes.csv': `title\n${lines.join('')}` })
  if (count > 0) expect(await nomen(['load', 'note', 'notes.csv'], { folder })).toMatchObject({ code: 0 })
  return folder
}

/** What stands in a database, read apart from the commands: whole, and with tallies that are right. */
function titles(path: string): string[] {
  const database = new DatabaseSync(path)
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    return database
      .prepare('select title from note order by id')
      .all()
      .map(({ title }) => `${title}`.split(' ')[0] ?? '')
  } finally {
    database.close()
  }
}

const backups = (folder: string) => readdirSync(join(folder, 'data/backup')).sort()

describe('nomen backup beside a service that writes', () => {
  it('keeps every record that was acknowledged before it began, and the totals are exact', async () => {
    const folder = await deskFolder(20_000)
    const { base, kill, ended } = await serve([], { folder })
    const agent = connections(4)
    let acknowledged = 0
    let isOver = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await ask(`${base}/note`, { method: 'POST', body: { title: 'new', status: 'DONE' }, agent })
        if (status === 201) acknowledged++
      }
    })
    await until(() => acknowledged > 20, 10_000, 'notes are made')
    const before = acknowledged
    expect(await nomen(['backup'], { folder })).toMatchObject({ code: 0, errors: '' })
    const after = acknowledged
    isOver = true
    await Promise.all(writers)
    kill('SIGTERM')
    await ended
    const [backup = '', sum] = backups(folder)
    expect([backup, sum]).toEqual([expect.stringMatching(/^desk-\d{8}T\d{6}Z\.db$/), `${backup}.sha256`])

    const other = await deskFolder()
    const restored = await nomen(['restore', join(folder, 'data/backup', backup)], { folder: other })
    expect(restored).toMatchObject({ code: 0, errors: '' })
    const made = titles(join(other, 'data/desk.db')).filter((title) => title === 'new').length
    expect(made).toBeGreaterThanOrEqual(before)
    expect(made).toBeLessThanOrEqual(after + 4)
    const again = await serve([], { folder: other })
    for (const [query, count] of [
      ['', 20_000 + made],
      ['&status=DONE', made],
    ] as const) {
      const { pageInfo } = (await ask(`${again.base}/note?pageSize=1${query}`)).json() as { pageInfo: unknown }
      expect(pageInfo).toMatchObject({ numberOfRecords: count })
    }
  })

  it('keeps as many as it is told to, and touches nothing else', async () => {
    const folder = await deskFolder(10)
    for (const name of [
      'desk-20200101T000000Z.db',
      'desk-20210101T000000Z.db',
      'desk-20200101T000000Z.db.sha256',
      'desk-x.db',
    ])
      await writeInto(join(folder, 'data/backup'), name)
    const { output } = await nomen(['backup', '--keep', '2'], { folder })
    expect(output).toContain('1 older backup removed.')
    expect(backups(folder)).toEqual([
      'desk-20210101T000000Z.db',
      expect.stringMatching(/^desk-2\d{7}T\d{6}Z\.db$/),
      expect.stringMatching(/\.db\.sha256$/),
      'desk-x.db',
    ])
  })
})

async function writeInto(folder: string, name: string): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), '')
}

describe('nomen restore', () => {
  it('refuses a backup of which one bit is wrong, and changes nothing', async () => {
    const folder = await deskFolder(300)
    await nomen(['backup', 'b.db'], { folder })
    const path = join(folder, 'b.db')
    const whole = readFileSync(path)
    for (const place of [0, 100, 5000, whole.length - 1]) {
      const bent = Buffer.from(whole)
      bent[place] = (bent[place] ?? 0) ^ 1
      writeFileSync(path, bent)
      const { code, errors } = await nomen(['restore', 'b.db', '--database', 'sqlite:data/other.db'], { folder })
      expect([code, errors]).toEqual([1, expect.stringContaining('b.db is not the file that was backed up')])
    }
    expect(existsSync(join(folder, 'data/other.db'))).toBe(false)
  })

  it('takes a backup without its checksum only where it is told to, and where it is a whole database', async () => {
    const folder = await deskFolder(300)
    await nomen(['backup', 'b.db'], { folder })
    writeFileSync(join(folder, 'b.db.sha256'), '')
    const other = ['--database', 'sqlite:data/other.db']
    expect((await nomen(['restore', 'b.db', ...other], { folder })).errors).toContain('b.db.sha256 holds no SHA-256')
    const whole = readFileSync(join(folder, 'b.db'))
    writeFileSync(
      join(folder, 'bent.db'),
      Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(4096), whole.subarray(12_288)]),
    )
    const bent = await nomen(['restore', 'bent.db', '--unverified', ...other], { folder })
    expect([bent.code, bent.errors]).toEqual([1, expect.stringContaining('bent.db is damaged: ')])
    expect(await nomen(['restore', 'b.db', '--unverified', ...other], { folder })).toMatchObject({ code: 0 })
    expect(titles(join(folder, 'data/other.db'))).toHaveLength(300)
  })

  it('replaces a database where it is told to and nobody uses it, and keeps what was there', async () => {
    const folder = await deskFolder(5, 'first')
    await nomen(['backup', 'b.db'], { folder })
    const { base, kill, ended } = await serve([], { folder })
    await ask(`${base}/note`, { method: 'POST', body: { title: 'later' } })
    expect((await nomen(['restore', 'b.db'], { folder })).errors).toContain('is there already')
    expect((await nomen(['restore', 'b.db', '--replace'], { folder })).errors).toContain('data/desk.db is in use')
    kill('SIGTERM')
    await ended
    const { code, output } = await nomen(['restore', 'b.db', '--replace'], { folder })
    expect(code).toBe(0)
    const [, kept = ''] = /What it held before is in (\S+)\.\n/.exec(output) ?? []
    expect(titles(join(folder, 'data/desk.db'))).toEqual(Array(5).fill('first'))
    expect(titles(join(folder, kept))).toEqual([...Array(5).fill('first'), 'later'])
  })

  it('that is killed leaves the database as it was', async () => {
    const folder = await deskFolder(25_000, 'second')
    await nomen(['backup', 'b.db'], { folder })
    const other = await deskFolder(25_000, 'first')
    const path = join(other, 'data/desk.db')
    const isWriting = () => existsSync(`${path}-journal`)
    for (const wait of [0, 5, 20]) {
      const { kill, ended } = start(['restore', join(folder, 'b.db'), '--replace'], { folder: other })
      await until(isWriting, 20_000, 'the restore has begun')
      await pause(wait)
      kill('SIGKILL')
      const { signal } = await ended
      const found = new Set(titles(path))
      // One that had been done before the kill is done.
      expect([...found]).toEqual(signal === 'SIGKILL' && found.has('first') ? ['first'] : ['second'])
    }
    expect((await nomen(['restore', join(folder, 'b.db'), '--replace'], { folder: other })).code).toBe(0)
    expect([...new Set(titles(path))]).toEqual(['second'])
  })
})

describe('nomen backup of what it cannot back up', () => {
  it.each([
    [['backup', '--database', 'postgres://nobody:secret@127.0.0.1:1/x'], 'pg_dump'],
    [['backup', '--database', 'sqlite::memory:'], 'gone with its process'],
    [['backup', '--database', 'sqlite:data/none.db'], 'There is no file data/none.db'],
    [['backup', 'x.db', '--keep', '3'], '--keep is for a folder'],
    [['backup', '--keep', '0'], '--keep is "0"'],
    [['restore'], 'needs a backup'],
    [['restore', 'none.db'], 'There is no file none.db'],
    [['restore', 'service.ts', '--unverified'], 'service.ts is damaged: file is not a database'],
  ])('nomen %j says %s', async (given, said) => {
    const { code, errors } = await nomen(given, { folder: await deskFolder() })
    expect([code === 0, errors]).toEqual([false, expect.stringContaining(said)])
    expect(errors).not.toContain('secret')
  })
})
