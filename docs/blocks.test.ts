// Every code block of every page is tested: the page is followed as its reader would do it, or its blocks are checked here.
// docs/examples.test.ts compiles TypeScript.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from '@nomen/testing/markdown/block'
import { describe, expect, it } from 'vitest'
import { commands } from '../packages/cli/src/main.ts'
import { isFollowed, pagesWithBlocks } from './snippets/pages.ts'

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
