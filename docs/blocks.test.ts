// Every code block of every page is tested: the page is followed as its reader would do it, or its blocks are checked here.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf } from '@nomen/testing/markdown/block'
import { describe, expect, it } from 'vitest'
import { commands } from '../packages/cli/src/main.ts'
import { entryPoints } from '../scripts/documentation/entry-points.ts'
import { importsFor, type NameSource, typeErrors } from '../scripts/documentation/examples.ts'
import { exportsOf } from '../scripts/documentation/exports.ts'

const root = join(import.meta.dirname, '..')

/** Tests that follow whole pages, or read their files, name them like this. */
const tests = globSync(['docs/**/*.test.ts', 'packages/cli/test/{extending,readme*}.test.ts'], { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')
const isFollowed = (page: string): boolean =>
  tests.includes(`follow('${page}'`) || tests.includes(`\n  '${page.replace(/^docs\/|\.md$/g, '')}',\n`)

/** Pages whose blocks are generated from code, which has its own tests. */
const isGenerated = (page: string): boolean => page.startsWith('docs/api/') || page === 'docs/lint-rules.md'

/** Examples that need packages which the repository does not have. */
const notInstalled = /from '@opentelemetry\/sdk-node'/

const pages = globSync(['docs/*.md', 'docs/decisions/*.md', 'packages/*/README.md', 'bench/README.md', '*.md'], {
  cwd: root,
})
  .filter((page) => !isFollowed(page) && !isGenerated(page))
  .map((page) => ({ page, blocks: blocksOf(unindented(readFileSync(join(root, page), 'utf8'))) }))
  .filter(({ blocks }) => blocks.length > 0)

/** Blocks in lists are indented. */
function unindented(text: string): string {
  return text.replaceAll(/^ {3}(?=\S)/gm, '')
}

it('follows the pages that are made to be followed', () => {
  const followed = globSync(['docs/*.md', 'docs/guide/[0-9]*.md', 'README.md'], { cwd: root }).filter(isFollowed)
  expect(followed.length).toBeGreaterThan(20)
})

it('has TypeScript that compiles', async () => {
  const files: Record<string, string> = {}
  for (const { page, blocks } of pages)
    for (const { language, code, line } of blocks) {
      if (language !== 'ts' || notInstalled.test(code)) continue
      const folder = page.replaceAll(/\W+/g, '-')
      files[`${folder}/directory.ts`] = "export { directory } from '@nomen/directory'\n"
      files[`${folder}/desk.ts`] = "export { directory as desk } from '@nomen/directory'\n"
      files[`${folder}/line-${line}.ts`] = `${importsFor(code, sourcesFor(page))}\n${code}\nexport {}\n`
    }
  expect(Object.keys(files).length).toBeGreaterThan(20)
  expect(await typeErrors(files)).toBe('')
})

/** The context of the page, then the general one, then the packages. */
function sourcesFor(page: string): readonly NameSource[] {
  const contexts = [page.replace(/^docs\/|\.md$/g, ''), 'general'].flatMap((name) =>
    globSync(`docs/snippets/${name}.ts`, { cwd: root }).map((file) => join(root, file)),
  )
  const packages = entryPoints.filter(({ name }) => ['@nomen/core', '@nomen/server'].includes(name))
  return [
    ...contexts.map((file) => ({ name: file, exports: namesIn(readFileSync(file, 'utf8')) })),
    ...packages.map(({ name, file }) => ({ name, exports: exportsOf(file) })),
  ]
}

/** The names that a context exports, also from packages. */
function namesIn(source: string): NameSource['exports'] {
  const lists = [...source.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, names = '']) => names.split(','))
  const declared = [...source.matchAll(/^export (?:declare )?((?:const|type) \w+)/gm)].map(([, name = '']) => name)
  return [...lists, ...declared].map((text) => ({
    name: `${text.trim().split(' ').at(-1)}`,
    isType: text.trim().startsWith('type '),
  }))
}

const blocks = pages.flatMap(({ page, blocks: all }) => all.map((block) => ({ page, ...block })))

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
    if (!known) throw new Error(`There is no command "nomen ${name}".`)
    const used = [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag)
    expect(used.filter((flag) => !known.includes(flag) && flag !== '--help')).toEqual([])
  })
})

it('has JSON that can be parsed', () => {
  const faults = blocks.filter(({ language }) => language === 'json').flatMap(jsonFault)
  expect(faults).toEqual([])
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
