// Every code block of every page is tested: the page is followed as its reader would do it, or its blocks are checked here.
// docs/examples.test.ts compiles TypeScript.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Block } from '@nomen/testing/markdown/block'
import { loadAll } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { commands } from '../packages/cli/src/main.ts'
import { checkedBlocks } from './snippets/checked-blocks.ts'
import { isFollowed, pagesWithBlocks } from './snippets/pages.ts'
import { isOtherProgram, shellPages } from './snippets/shell-pages.ts'

const root = join(import.meta.dirname, '..')

it('follows the pages that are made to be followed', () => {
  const followed = globSync(['docs/*.md', 'docs/guide/[0-9]*.md', 'README.md'], { cwd: root }).filter(isFollowed)
  expect(followed.length).toBeGreaterThan(20)
})

const blocks = pagesWithBlocks().flatMap(({ page, blocks: all }) => all.map((block) => ({ page, ...block })))

describe('commands', async () => {
  const flags = new Map(
    await Promise.all(
      commands.map(async ({ name, load }) => [name, (await load()).flags.map((flag) => `--${flag.name}`)] as const),
    ),
  )
  const lines = blocks.flatMap(({ page, code }) =>
    [...code.replaceAll('\\\n', ' ').matchAll(/\bnomen ([a-z]+)\b(?![.:])([^\n|;&#)]*)/g)].map(
      ([, name = '', rest = '']) => ({ page, name, rest }),
    ),
  )
  it.each(lines)('$page: nomen $name$rest', ({ name, rest }) => {
    const known = flags.get(name)
    if (!known) throw new Error(`Unknown command "nomen ${name}".`)
    const used = [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag)
    expect(used.filter((flag) => !known.includes(flag) && flag !== '--help')).toEqual([])
  })
})

it('has npm scripts and scripts of benchmarks that exist, with their flags', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lines = repositoryBlocks.flatMap(({ code }) => [
    ...code.matchAll(/^npm (?:run )?([\w:-]+)(?: -- ([^#\n]*))?/gm),
  ])
  expect(lines.length).toBeGreaterThan(10)
  for (const [line, name = '', flags = ''] of lines) {
    expect(Object.keys(scripts), line).toContain(name)
    const [program = ''] = scripts[name].match(/\S+\.ts/) ?? []
    const source = program && sourcesOf(dirname(join(root, program)))
    for (const [flag] of flags.matchAll(/--[a-z]+/g)) expect(source, line).toMatch(new RegExp(`\\b${flag.slice(2)}\\b`))
  }
})

/** Pages for people who work in the repository. */
const repositoryBlocks = blocks.filter(({ page }) => ['CONTRIBUTING.md', 'bench/README.md'].includes(page))

const shellBlocks = blocks.filter(({ language }) => language === 'sh')

const sourcesOf = (folder: string) =>
  globSync('*.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

/** Blocks of commands that are not run here, and the test that checks each. */
const otherShellBlocks: readonly (readonly [page: string, start: string, test: string])[] = [
  ['CONTRIBUTING.md', 'npm start', 'docs/blocks.test.ts'],
  ['bench/README.md', 'npm run', 'docs/blocks.test.ts'],
  ['docs/containers.md', 'docker build', 'testing/container/command.slow.test.ts'],
  ['docs/containers.md', 'DATABASE_PASSWORD', 'testing/container/command.slow.test.ts'],
  ['docs/containers.md', 'kubectl', 'testing/container/command.slow.test.ts'],
  ['docs/deploy.md', 'useradd', 'testing/container/command.slow.test.ts'],
  ['docs/deploy.md', 'install', 'testing/container/command.slow.test.ts'],
  ['docs/deploy.md', 'systemctl enable', 'testing/container/command.slow.test.ts'],
  ['docs/backup.md', 'pg_dump', 'testing/container/command.slow.test.ts'],
  ['docs/postgresql.md', 'echo "set server', 'testing/container/command.slow.test.ts'],
  ['docs/postgresql.md', 'curl -i -X PATCH', 'packages/server/test/read-replica.slow.test.ts'],
  ['docs/usage.md', 'goaccess', 'packages/core/test/goaccess.slow.test.ts'],
  ['docs/observability.md', 'npm install @opentelemetry', 'testing/external/telemetry.slow.test.ts'],
]

it('runs every block of commands, or names its test', () => {
  const isRun = (page: string, code: string) =>
    page.replace(/^docs\/|\.md$/g, '') in shellPages && !isOtherProgram(code)
  const other = shellBlocks.filter(({ page, code }) => !isRun(page, code))
  const listed = (page: string, code: string) =>
    otherShellBlocks.some(([name, start]) => name === page && code.startsWith(start))
  expect(other.filter(({ page, code }) => !listed(page, code)).map(({ page, code }) => [page, code])).toEqual([])
  for (const [page, start, test] of otherShellBlocks) {
    expect(
      other.some((block) => block.page === page && block.code.startsWith(start)),
      `${page}: ${start}`,
    ).toBe(true)
    expect(existsSync(join(root, test)), test).toBe(true)
  }
})

it('names the test of every other block', () => {
  const others = blocks.filter(({ language }) => language !== 'sh')
  expect(others.length).toBeGreaterThan(50)
  const startsOf = (page: string) => checkedBlocks.flatMap(([name, , starts]) => (name === page ? starts : []))
  const startOf = ({ page, code }: { readonly page: string; readonly code: string }) =>
    startsOf(page).filter((start) => code.trimStart().startsWith(start))
  expect(others.filter((block) => startOf(block).length !== 1).map(({ page, line }) => `${page}:${line}`)).toEqual([])
  const used = new Set(others.flatMap((block) => startOf(block).map((start) => `${block.page}: ${start}`)))
  for (const [page, test, starts] of checkedBlocks) {
    for (const start of starts) expect(used).toContain(`${page}: ${start}`)
    expect(readFileSync(join(root, test), 'utf8'), test).toContain(basename(page, '.md'))
  }
})

it('has JSON that can be parsed', () => {
  const faults = blocks.filter(({ language }) => language === 'json').flatMap(jsonFault)
  expect(faults).toEqual([])
})

it('has YAML that can be parsed', () => {
  const documents = blocks.filter(({ language }) => language === 'yaml')
  expect(documents.length).toBeGreaterThan(5)
  for (const { page, line, code } of documents) expect(() => loadAll(code), `${page}:${line}`).not.toThrow()
})

/** … at the end of an object or a list stands for more. */
function jsonFault({ page, line, code }: Block & { readonly page: string }): string[] {
  try {
    for (const text of code.trim().split(/\n(?=\{)/)) JSON.parse(text.replaceAll(/,?\s*…(?=\s*[\]}])/g, ''))
    return []
  } catch (error) {
    return [`${page}:${line}: ${error}`]
  }
}
