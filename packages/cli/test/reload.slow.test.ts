// `nomen serve --watch`: what a person meets who writes a service while it is served.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, type Served, serve, start, until } from './nomen.ts'

const nouns = `import { identity, noun, text } from '@nomen/core'

export const note = noun('note', { id: identity(), title: text() })
`
const service = `import { api, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { note } from './src/nouns.ts'

const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
export default service({ name: 'notes', apis: [notes] })
`
const files = { 'service.ts': service, 'src/nouns.ts': nouns }
const withPlace = nouns.replace('title: text()', "title: text(), place: text().default('desk')")

async function watched(given: Readonly<Record<string, string>>) {
  const folder = serviceFolder(given)
  return { folder, served: await serve(['--watch'], { folder }) }
}

/** Waits until it has been said, and gives all that was. */
async function said(text: () => string, part: string): Promise<string> {
  await until(() => text().includes(part), 30_000, `"${part}" is said`)
  return text()
}

async function post({ base }: Served, title: string): Promise<unknown> {
  return (await ask(`${base}/note`, { method: 'POST', body: { title } })).json()
}

async function first({ base }: Served): Promise<unknown> {
  return (await ask(`${base}/note/1`)).json()
}

describe('a service that is watched', () => {
  it('is served anew when a file changes, with its records and at the same address', async () => {
    const { folder, served } = await watched(files)
    for (const line of [
      /^ {2}database +sqlite:data\/notes\.db, made now$/m,
      /^ {2}try +curl '/m,
      /^ {2}docs +http:\S+\/docs$/m,
      /^It is served anew when/m,
    ]) {
      expect(served.said()).toMatch(line)
    }
    expect(await post(served, 'kept')).toEqual({ id: 1, title: 'kept' })
    writeFiles(folder, { 'src/nouns.ts': withPlace })
    const all = await said(served.said, 'src/nouns.ts has changed, and is served.')
    expect(all).toContain('The schema has been changed:\n  add field "place" to "note"\n')
    expect(await first(served)).toEqual({ id: 1, title: 'kept', place: 'desk' })
    expect(served.complained()).toBe('')
  })

  it('goes on as it was while a declaration is faulty, and says where and how to fix it', async () => {
    const { folder, served } = await watched(files)
    await post(served, 'kept')
    writeFiles(folder, { 'src/nouns.ts': nouns.replace("'note'", "'notes'") })
    expect(await said(served.complained, 'goes on being served')).toBe(
      'nomen: noun "notes": a noun is singular (spec 2.6 rule 1), and this looks like a plural.\n' +
        '  Fix: name it "note", or say { isSingular: true } where it is no plural.\n' +
        '  At src/nouns.ts:3:21\n' +
        '  What was served before goes on being served.\n',
    )
    expect(await first(served)).toEqual({ id: 1, title: 'kept' })
    // a change that would lose data is refused like a fault
    const count = served.complained().length
    writeFiles(folder, { 'src/nouns.ts': nouns.replace(', title: text()', '') })
    const unsafe = () => served.complained().slice(count)
    expect(await said(unsafe, 'goes on being served')).toContain('drop field "title"')
    expect(await first(served)).toEqual({ id: 1, title: 'kept' })
    writeFiles(folder, { 'src/nouns.ts': withPlace })
    await said(served.said, 'src/nouns.ts has changed, and is served.')
    expect(await first(served)).toEqual({ id: 1, title: 'kept', place: 'desk' })
  })

  it('may begin faulty: it is served when it is fixed, also by a file that was missing', async () => {
    const folder = serviceFolder({ ...files, 'src/other.ts': '' })
    rmSync(join(folder, 'src/nouns.ts'))
    writeFiles(folder, { 'service.ts': `import './src/other.ts'\n${service}` })
    const running = start(['serve', '--watch', '--port', '0'], { folder })
    const told = await said(running.complained, 'as soon as that is fixed')
    expect(told).toContain('service.ts cannot be loaded. Error: Cannot find module')
    writeFiles(folder, { 'src/nouns.ts': nouns })
    expect(await said(running.said, 'It is served anew')).toContain('notes is served at http://127.0.0.1:')
    running.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0, signal: null })
  })

  it('ends with all of its processes when it is told to stop', async () => {
    const { served } = await watched(files)
    served.kill('SIGINT')
    expect(await served.ended).toMatchObject({ code: 0, signal: null })
    await expect(ask(`${served.base}/note`)).rejects.toThrow('ECONNREFUSED')
  })

  it('is not begun where no change of a file would help', async () => {
    const { served } = await watched(files)
    onTestFinished(() => served.kill('SIGTERM'))
    const folder = serviceFolder(files)
    const taken = await nomen(['serve', '--watch', '--port', `${served.port}`], { folder })
    expect([taken.code, taken.errors]).toEqual([
      1,
      `nomen: Port ${served.port} is taken.\n  Give another with --port or PORT; 0 takes a free one.\n`,
    ])
    expect(await nomen(['serve', '--watch', '--workers', '2'], { folder })).toMatchObject({
      code: 2,
      errors: 'nomen: --workers is "2", and --watch serves with one process.\n  Leave out one of the two.\n',
    })
  })
})
