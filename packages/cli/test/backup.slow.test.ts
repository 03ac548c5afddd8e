// `nomen backup` and `nomen restore` as processes: during writes of a service, and when they are killed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, serve, start, waitUntil } from './nomen.ts'
import { connections, sendRequest } from './send-request.ts'

const deskFiles = {
  'service.ts': `
    import { api, choice, identity, noun, resource, text } from '@nomen/core'
    import { service } from '@nomen/server'
    const note = noun('note', { id: identity(), title: text(), status: choice('OPEN', 'DONE').default('OPEN') })
    export default service({ name: 'desk', apis: [api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })] })
  `,
}

/** A folder with a database that has this many notes with this title. */
async function deskFolder(count = 0, title = 'old'): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) => `${title} ${index} ${'x'.repeat(200)}\n`)
  const folder = serviceFolder({ ...deskFiles, 'notes.csv': `title\n${lines.join('')}` })
  if (count > 0) expect(await nomen(['load', 'note', 'notes.csv'], { folder })).toMatchObject({ code: 0 })
  return folder
}

/** The content of a database, read without the commands; checks its integrity and tallies. */
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

describe('nomen backup during writes of a service', () => {
  it('contains every record that was acknowledged before its start, with exact totals', async () => {
    const folder = await deskFolder(20_000)
    const { base, kill, exit } = await serve([], { folder })
    const agent = connections(4)
    let acknowledged = 0
    let isOver = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await sendRequest(`${base}/note`, {
          method: 'POST',
          body: { title: 'new', status: 'DONE' },
          agent,
        })
        if (status === 201) acknowledged++
      }
    })
    await waitUntil(() => acknowledged > 20, 10_000, 'notes are made')
    const before = acknowledged
    expect(await nomen(['backup'], { folder })).toMatchObject({ code: 0, errors: '' })
    const after = acknowledged
    isOver = true
    await Promise.all(writers)
    kill('SIGTERM')
    await exit
    const [backup = '', sum] = backups(folder)
    expect([backup, sum]).toEqual([expect.stringMatching(/^desk-\d{8}T\d{6}Z\.db$/), `${backup}.sha256`])

    const target = await deskFolder()
    const restored = await nomen(['restore', join(folder, 'data/backup', backup)], { folder: target })
    expect(restored).toMatchObject({ code: 0, errors: '' })
    const restoredCount = titles(join(target, 'data/desk.db')).filter((title) => title === 'new').length
    expect(restoredCount).toBeGreaterThanOrEqual(before)
    expect(restoredCount).toBeLessThanOrEqual(after + 4)
    const again = await serve([], { folder: target })
    for (const [query, count] of [
      ['', 20_000 + restoredCount],
      ['&status=DONE', restoredCount],
    ] as const) {
      const { pageInfo } = (await sendRequest(`${again.base}/note?pageSize=1${query}`)).json() as { pageInfo: unknown }
      expect(pageInfo).toMatchObject({ numberOfRecords: count })
    }
  })

  it('keeps as many backups as --keep says, and removes no other files', async () => {
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

describe('nomen backup to a file that exists', () => {
  it('recognizes the service file in both positions of the arguments', async () => {
    const folder = await deskFolder(3)
    const source = readFileSync(join(folder, 'service.ts'))
    expect(await nomen(['backup', 'service.ts'], { folder })).toMatchObject({ code: 0, errors: '' })
    expect(backups(folder)).toHaveLength(2)
    expect(await nomen(['backup', 'service.ts', 'one.db'], { folder })).toMatchObject({ code: 0, errors: '' })
    expect(await nomen(['backup', 'two.db', 'service.ts'], { folder })).toMatchObject({ code: 0, errors: '' })
    expect([titles(join(folder, 'one.db')), titles(join(folder, 'two.db'))]).toEqual([
      Array(3).fill('old'),
      Array(3).fill('old'),
    ])
    expect(readFileSync(join(folder, 'service.ts'))).toEqual(source)
  })

  it('never replaces a file that is not a backup', async () => {
    const folder = await deskFolder(1)
    await writeInto(folder, 'precious.txt', 'precious')
    for (const [name, args, message] of [
      ['precious.txt', ['backup', 'precious.txt', '--replace'], 'not a backup of a service'],
      [
        'service.ts',
        ['backup', 'service.ts', 'service.ts'],
        'service.ts is the name of a source file, not of a backup',
      ],
      ['data/desk.db', ['backup', './data/../data/desk.db', '--replace'], 'is the database itself'],
    ] as const) {
      const before = readFileSync(join(folder, name))
      const { code, errors } = await nomen(args, { folder })
      expect([code === 0, errors]).toEqual([false, expect.stringContaining(message)])
      expect(readFileSync(join(folder, name))).toEqual(before)
    }
  })

  it('replaces a backup only with --replace', async () => {
    const folder = await deskFolder(1)
    expect(await nomen(['backup', 'one.db'], { folder })).toMatchObject({ code: 0 })
    await writeInto(folder, 'more.csv', 'title\nnew\n')
    expect(await nomen(['load', 'note', 'more.csv'], { folder })).toMatchObject({ code: 0 })
    expect((await nomen(['backup', 'one.db'], { folder })).errors).toContain('replace it with --replace')
    expect(titles(join(folder, 'one.db'))).toHaveLength(1)
    expect(await nomen(['backup', 'one.db', '--replace'], { folder })).toMatchObject({ code: 0 })
    expect(titles(join(folder, 'one.db'))).toHaveLength(2)
  })
})

async function writeInto(folder: string, name: string, text = ''): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), text)
}

describe('nomen restore', () => {
  it('rejects a backup with one wrong bit, and changes nothing', async () => {
    const folder = await deskFolder(300)
    await nomen(['backup', 'b.db'], { folder })
    const path = join(folder, 'b.db')
    const backup = readFileSync(path)
    for (const offset of [0, 100, 5000, backup.length - 1]) {
      const damaged = Buffer.from(backup)
      damaged[offset] = (damaged[offset] ?? 0) ^ 1
      writeFileSync(path, damaged)
      const { code, errors } = await nomen(['restore', 'b.db', '--database', 'sqlite:data/other.db'], { folder })
      expect([code, errors]).toEqual([1, expect.stringContaining('b.db does not match its checksum')])
    }
    expect(existsSync(join(folder, 'data/other.db'))).toBe(false)
  })

  it('accepts a backup without its checksum only with --unverified, and only if the database is intact', async () => {
    const folder = await deskFolder(300)
    await nomen(['backup', 'b.db'], { folder })
    writeFileSync(join(folder, 'b.db.sha256'), '')
    const otherDatabase = ['--database', 'sqlite:data/other.db']
    expect((await nomen(['restore', 'b.db', ...otherDatabase], { folder })).errors).toContain(
      'b.db.sha256 does not contain a SHA-256',
    )
    const backup = readFileSync(join(folder, 'b.db'))
    writeFileSync(
      join(folder, 'damaged.db'),
      Buffer.concat([backup.subarray(0, 8192), Buffer.alloc(4096), backup.subarray(12_288)]),
    )
    const damaged = await nomen(['restore', 'damaged.db', '--unverified', ...otherDatabase], { folder })
    expect([damaged.code, damaged.errors]).toEqual([1, expect.stringContaining('damaged.db is damaged: ')])
    expect(await nomen(['restore', 'b.db', '--unverified', ...otherDatabase], { folder })).toMatchObject({ code: 0 })
    expect(titles(join(folder, 'data/other.db'))).toHaveLength(300)
  })

  it('replaces a database with --replace if it is not in use, and keeps the old one', async () => {
    const folder = await deskFolder(5, 'first')
    await nomen(['backup', 'b.db'], { folder })
    const { base, kill, exit } = await serve([], { folder })
    await sendRequest(`${base}/note`, { method: 'POST', body: { title: 'later' } })
    expect((await nomen(['restore', 'b.db'], { folder })).errors).toContain('already exists')
    expect((await nomen(['restore', 'b.db', '--replace'], { folder })).errors).toContain('data/desk.db is in use')
    kill('SIGTERM')
    await exit
    const { code, output } = await nomen(['restore', 'b.db', '--replace'], { folder })
    expect(code).toBe(0)
    const [, previousPath = ''] = /The previous database is in (\S+)\.\n/.exec(output) ?? []
    expect(titles(join(folder, 'data/desk.db'))).toEqual(Array(5).fill('first'))
    expect(titles(join(folder, previousPath))).toEqual([...Array(5).fill('first'), 'later'])
  })

  it('does not change the database if it is killed', async () => {
    const folder = await deskFolder(25_000, 'second')
    await nomen(['backup', 'b.db'], { folder })
    const target = await deskFolder(25_000, 'first')
    const path = join(target, 'data/desk.db')
    const isWriting = () => existsSync(`${path}-journal`)
    for (const wait of [0, 5, 20]) {
      const { kill, exit } = start(['restore', join(folder, 'b.db'), '--replace'], { folder: target })
      await waitUntil(isWriting, 20_000, 'the restore has started')
      await pause(wait)
      kill('SIGKILL')
      const { signal } = await exit
      const restoredTitles = new Set(titles(path))
      // A restore that was complete before the kill stays complete.
      expect([...restoredTitles]).toEqual(signal === 'SIGKILL' && restoredTitles.has('first') ? ['first'] : ['second'])
    }
    expect((await nomen(['restore', join(folder, 'b.db'), '--replace'], { folder: target })).code).toBe(0)
    expect([...new Set(titles(path))]).toEqual(['second'])
  })
})

describe('nomen backup and nomen restore with invalid arguments', () => {
  it.each([
    [['backup', '--database', 'postgres://nobody:secret@127.0.0.1:1/x'], 'pg_dump'],
    [['backup', '--database', 'sqlite::memory:'], 'An in-memory database cannot be backed up'],
    [['backup', '--database', 'sqlite:data/none.db'], 'The file data/none.db does not exist'],
    [['backup', 'x.db', '--keep', '3'], '--keep needs a folder'],
    [['backup', '--keep', '0'], '--keep must be a whole number from 1 to 999999999, but is "0"'],
    [['restore'], 'restore needs the path of a backup file.'],
    [['restore', 'none.db'], 'File not found: none.db.'],
    [['restore', 'service.ts', '--unverified'], 'service.ts is damaged: file is not a database'],
  ])('nomen %j reports: %s', async (args, message) => {
    const { code, errors } = await nomen(args, { folder: await deskFolder() })
    expect([code === 0, errors]).toEqual([false, expect.stringContaining(message)])
    expect(errors).not.toContain('secret')
  })
})
