// A project that is begun with the command: what is written, and that it compiles and passes its own tests.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** Names that mean something else in TypeScript or in the files, that have hyphens, or that are those of the service. */
const variants = [
  ['desk', 'ticket'],
  ['cost', 'cost-center'],
  ['school', 'class'],
  ['game', 'level-2'],
  ['book', 'book'],
  ['api', 'service'],
  ['data', 'text'],
] as const

/** A folder whose projects find the packages of this repository, and what they are tested with. */
function workshop(): string {
  const folder = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

describe('nomen new', () => {
  it('writes projects that compile, keep the conventions and pass their own tests', { timeout: 120_000 }, async () => {
    const folder = workshop()
    const made = await Promise.all(variants.map(([name, noun]) => nomen(['new', name, '--noun', noun], { folder })))
    expect(made.map(({ code, errors }) => [code, errors])).toEqual(variants.map(() => [0, '']))
    const settings = {
      extends: './desk/tsconfig.json',
      // The links lead to sources, which are compiled along and stricter.
      compilerOptions: { exactOptionalPropertyTypes: true },
      include: ['*/*.ts', '*/src', '*/test'],
    }
    writeFiles(folder, { 'tsconfig.json': JSON.stringify(settings) })
    const run = (...words: string[]) =>
      execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
    expect(run(join(root, 'node_modules/typescript/bin/tsc'))).toBe('')
    // The tests of all would say the same of other names.
    const tested = run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'game', 'school')
    expect(tested).toMatch(/^ *Tests +8 passed \(8\)$/m)
    expect(await nomen(['lint', 'cost'], { folder })).toMatchObject({ code: 0, errors: '' })
  })

  it('says where the project is and how to go on, in two commands', async () => {
    const folder = temporaryFolder()
    expect(await nomen(['new', 'my desk', '--noun', 'ticket'], { folder })).toMatchObject({
      code: 0,
      output: "my-desk is written to my desk: 12 files. Go on with\n  cd 'my desk' && npm install\n  npm run dev\n",
    })
    mkdirSync(join(folder, 'Here/.git'), { recursive: true })
    expect(await nomen(['new', '.'], { folder: join(folder, 'Here') })).toMatchObject({
      code: 0,
      output: 'here is written to this folder: 12 files. Go on with\n  npm install\n  npm run dev\n',
    })
    expect(read(folder, 'Here/src/nouns.ts')).toContain("export const item = noun(\n  'item',")
  })

  it('depends on the packages of its own version, and on the tools that this repository is tested with', async () => {
    const folder = temporaryFolder()
    await nomen(['new', 'desk'], { folder })
    const written = JSON.parse(read(folder, 'desk/package.json'))
    const own = `^${manifest.version}`
    expect(written.dependencies).toEqual({ '@nomen/core': own, '@nomen/server': own })
    const { '@types/node': node, typescript, vitest } = JSON.parse(read(root, 'package.json')).devDependencies
    const { msw } = JSON.parse(read(root, 'packages/core/package.json')).devDependencies
    expect(written.devDependencies).toEqual({ '@nomen/cli': own, '@types/node': node, msw, typescript, vitest })
    expect(written.engines).toEqual(manifest.engines)
  })

  it('keeps the address of a database out of git, and where the command finds it', async () => {
    const folder = workshop()
    const address = 'postgres://ada:secret@127.0.0.1:1/desk#1'
    await nomen(['new', 'desk', '--database', address], { folder })
    expect(read(folder, 'desk/.gitignore').split('\n')).toContain('.env')
    const written = readdirSync(join(folder, 'desk'), { recursive: true, withFileTypes: true })
    const holding = written.filter((one) => one.isFile() && read(one.parentPath, one.name).includes('secret'))
    expect(holding.map(({ name }) => name)).toEqual(['.env'])
    const asked = await nomen(['migrate', '--plan'], { folder: join(folder, 'desk') })
    expect([asked.code, asked.errors]).toEqual([1, expect.stringContaining('127.0.0.1:1')])
    expect(asked.errors).not.toContain('secret')
    const elsewhere = { DATABASE_URL: 'sqlite:elsewhere.db' }
    const told = await nomen(['migrate', '--apply'], { folder: join(folder, 'desk'), environment: elsewhere })
    expect([told.code, existsSync(join(folder, 'desk/elsewhere.db'))]).toEqual([0, true])
  })

  it.each([
    [['new'], 'nomen new needs a folder.', 'Name one: nomen new desk', 2],
    [
      ['new', 'desk', '--noun', 'tickets'],
      'noun "tickets": a noun is singular (spec 2.6 rule 1), and this looks like a plural.',
      'Fix: name it "ticket", or say { isSingular: true } where it is no plural. The flag is --noun.',
      2,
    ],
    [
      ['new', 'desk', '--name', 'My Desk'],
      'service "My Desk": a service is named in lower kebab-case.',
      'Fix: use letters a to z, digits and single hyphens. The flag is --name.',
      2,
    ],
    [
      ['new', 'desk', '--noun', 'docs', '--yes'],
      'noun "docs": a noun is singular (spec 2.6 rule 1), and this looks like a plural.',
      'Fix: name it "doc", or say { isSingular: true } where it is no plural. The flag is --noun.',
      2,
    ],
    [
      ['new', 'desk', '--noun', 'console'],
      'api "example", resource "console": takes a path that belongs to the service itself.',
      'Fix: choose another name than openapi.json, docs, console, health, metrics, usage. The flag is --noun.',
      2,
    ],
    [
      ['new', 'desk', '--database', 'mysql://localhost'],
      '"mysql://localhost" is no database.',
      'Give sqlite, or an address such as postgres://localhost/desk.',
      2,
    ],
    [['new', 'desk', '--nuon', 'ticket'], 'There is no flag --nuon. Did you mean --noun?', '--help lists them.', 2],
  ] as const)('refuses %j, and writes nothing', async (given, message, fix, exitCode) => {
    const folder = temporaryFolder()
    const { code, output, errors } = await nomen(given, { folder })
    expect([code, output, errors]).toEqual([exitCode, '', `nomen: ${message}\n  ${fix}\n`])
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a folder that holds something, and leaves it as it is', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'desk/notes.txt': 'mine' })
    const { code, errors } = await nomen(['new', 'desk'], { folder })
    expect([code, errors]).toEqual([
      1,
      `nomen: ${join(folder, 'desk')} is not empty: it holds notes.txt.\n  Name a folder that is not there yet, or an empty one.\n`,
    ])
    expect(readdirSync(join(folder, 'desk'))).toEqual(['notes.txt'])
    expect((await nomen(['new', 'desk/notes.txt'], { folder })).errors).toContain('desk/notes.txt is a file.')
  })
})
