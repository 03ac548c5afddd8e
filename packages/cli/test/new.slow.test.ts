// A project of `nomen new` has the expected files, compiles and passes its tests.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'

const readText = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** Names that are reserved in TypeScript or in the files, have hyphens, or equal the name of the service. */
const variants = [
  ['desk', 'ticket'],
  ['cost', 'cost-center'],
  ['school', 'class'],
  ['game', 'level-2'],
  ['book', 'book'],
  ['api', 'service'],
  ['data', 'text'],
] as const

/** A folder whose projects find the packages and test tools of this repository. */
function folderWithModules(): string {
  const folder = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

/** Starts the server of a project with a template, calls its service below /api, and stops it with a signal. */
async function expectMounted(folder: string): Promise<void> {
  const env = { ...process.env, PORT: '0' }
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  const exit = once(server, 'exit')
  const [output] = await once(server.stdout.setEncoding('utf8'), 'data')
  const url = /is running at (\S+)/.exec(output)?.[1]
  const response = await fetch(`${url}/v1/item?pageSize=1`)
  expect([response.status, await response.json()]).toMatchObject([200, { pageInfo: { numberOfRecords: 3 } }])
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
}

describe('nomen new', () => {
  it('writes projects that compile, follow the conventions and pass their own tests', async () => {
    const folder = folderWithModules()
    const projects = [
      ...variants.map(([name, noun]) => [name, '--noun', noun]),
      ['shop', '--template', 'hono'],
      ['site', '--template', 'next'],
    ]
    const results = await Promise.all(projects.map((words) => nomen(['new', ...words], { folder })))
    expect(results.map(({ code, errors }) => [code, errors])).toEqual(projects.map(() => [0, '']))
    const settings = {
      extends: './desk/tsconfig.json',
      // The linked packages are sources, which are compiled with stricter options.
      compilerOptions: { exactOptionalPropertyTypes: true },
      include: ['*/*.ts', '*/src', '*/test'],
      // Next.js is not installed here; `npm run prove` compiles and builds a project with it.
      exclude: ['site', 'node_modules'],
    }
    writeFiles(folder, { 'tsconfig.json': JSON.stringify(settings) })
    const run = (...words: string[]) =>
      execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
    expect(run(join(root, 'node_modules/typescript/bin/tsc'))).toBe('')
    // One project of each template is enough, because the others differ only in names.
    const testOutput = run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'school', 'shop', 'site')
    expect(testOutput).toMatch(/^ *Tests +16 passed \(16\)$/m)
    expect(await nomen(['lint', 'cost'], { folder })).toMatchObject({ code: 0, errors: '' })
    await expectMounted(join(folder, 'shop'))
  })

  it('prints the folder of the project and the next two commands', async () => {
    const folder = temporaryFolder()
    const supported = { npm_config_user_agent: 'npm/10.9.4 node/v22.18.0 linux x64 workspaces/false' }
    expect(await nomen(['new', 'my desk', '--noun', 'ticket'], { folder, environment: supported })).toMatchObject({
      code: 0,
      errors: '',
      output: `Created the project "my-desk" in the folder "my desk" (15 files). Next steps:\n  cd 'my desk' && npm install\n  npm run dev\n`,
    })
    mkdirSync(join(folder, 'Here/.git'), { recursive: true })
    const environment = { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' }
    expect(await nomen(['new', '.'], { folder: join(folder, 'Here'), environment })).toMatchObject({
      code: 0,
      errors: 'nomen: The project needs Node 22.18+ or 24+, but npm runs on Node 20.20.2. Install a later one first.\n',
      output: 'Created the project "here" in this folder (15 files). Next steps:\n  npm install\n  npm run dev\n',
    })
    expect(readText(folder, 'Here/src/nouns.ts')).toContain("export const item = noun(\n  'item',")
  })

  it('depends on the packages of this repository, and on the same versions of the tools', async () => {
    const folder = temporaryFolder()
    await nomen(['new', 'desk'], { folder })
    const projectManifest = JSON.parse(readText(folder, 'desk/package.json'))
    const fileUrl = (path: string) => `file:${relative(realpathSync(join(folder, 'desk')), join(root, path))}`
    const packageNames = ['cli', 'conventions', 'core', 'server']
    expect(projectManifest.dependencies).toEqual(
      Object.fromEntries(packageNames.map((name) => [`@nomen/${name}`, fileUrl(`packages/${name}`)])),
    )
    const { '@types/node': node, typescript, vitest } = JSON.parse(readText(root, 'package.json')).devDependencies
    expect(projectManifest.devDependencies).toEqual({
      msw: fileUrl('node_modules/msw'),
      '@types/node': node,
      typescript,
      vitest,
    })
    expect(projectManifest.engines).toEqual(manifest.engines)
    await nomen(['new', 'shop', '--template', 'hono'], { folder })
    const { hono, '@hono/node-server': adapter } = JSON.parse(readText(root, 'testing/package.json')).dependencies
    expect(JSON.parse(readText(folder, 'shop/package.json')).dependencies).toMatchObject({
      hono,
      '@hono/node-server': adapter,
    })
  })

  it('writes the database URL to .env, which git ignores', async () => {
    const folder = folderWithModules()
    const url = 'postgres://ada:secret@127.0.0.1:1/desk#1'
    await nomen(['new', 'desk', '--database', url], { folder })
    expect(readText(folder, 'desk/.gitignore').split('\n')).toContain('.env')
    const entries = readdirSync(join(folder, 'desk'), { recursive: true, withFileTypes: true })
    const withSecret = entries.filter(
      (entry) => entry.isFile() && readText(entry.parentPath, entry.name).includes('secret'),
    )
    expect(withSecret.map(({ name }) => name)).toEqual(['.env'])
    const plan = await nomen(['migrate', '--plan'], { folder: join(folder, 'desk') })
    expect([plan.code, plan.errors]).toEqual([1, expect.stringContaining('127.0.0.1:1')])
    expect(plan.errors).not.toContain('secret')
    const elsewhere = { DATABASE_URL: 'sqlite:elsewhere.db' }
    const applied = await nomen(['migrate', '--apply'], { folder: join(folder, 'desk'), environment: elsewhere })
    expect([applied.code, existsSync(join(folder, 'desk/elsewhere.db'))]).toEqual([0, true])
  })

  it.each([
    [['new'], 'new needs a folder.', 'For example: nomen new desk', 2],
    [
      ['new', 'desk', '--noun', 'tickets'],
      'noun "tickets": the name looks like a plural; nouns must be singular.',
      'Fix (--noun): rename it to "ticket", or add { isSingular: true } if it is not a plural.',
      2,
    ],
    [
      ['new', 'desk', '--name', 'My Desk'],
      'service "My Desk": the name must be in kebab-case.',
      'Fix (--name): use letters a to z, digits and single hyphens.',
      2,
    ],
    [
      ['new', 'desk', '--noun', 'docs', '--yes'],
      'noun "docs": the name looks like a plural; nouns must be singular.',
      'Fix (--noun): rename it to "doc", or add { isSingular: true } if it is not a plural.',
      2,
    ],
    [
      ['new', 'desk', '--database', 'mysql://localhost'],
      '"mysql://localhost" is not a database URL.',
      'Use sqlite, or a URL such as postgres://localhost/desk.',
      2,
    ],
    [['new', 'desk', '--nuon', 'ticket'], 'Unknown flag --nuon. Did you mean --noun?', '--help lists all flags.', 2],
  ] as const)('rejects %j, and writes nothing', async (args, message, fix, exitCode) => {
    const folder = temporaryFolder()
    const { code, output, errors } = await nomen(args, { folder })
    expect([code, output, errors]).toEqual([exitCode, '', `nomen: ${message}\n  ${fix}\n`])
    expect(readdirSync(folder)).toEqual([])
  })

  it('rejects a folder that is not empty, and does not change it', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'desk/notes.txt': 'mine' })
    const { code, errors } = await nomen(['new', 'desk'], { folder })
    expect([code, errors]).toEqual([
      1,
      `nomen: ${join(folder, 'desk')} is not empty: it contains notes.txt.\n  Use a new or empty folder.\n`,
    ])
    expect(readdirSync(join(folder, 'desk'))).toEqual(['notes.txt'])
    expect((await nomen(['new', 'desk/notes.txt'], { folder })).errors).toContain('desk/notes.txt is a file.')
  })
})
