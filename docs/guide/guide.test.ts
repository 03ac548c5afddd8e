// Every page of the guide is in its index, and a test runs it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = import.meta.dirname
const pages = globSync('[0-9]*.md', { cwd: folder }).sort((one, other) => numberOf(one) - numberOf(other))

it('has an index of its pages, in their order', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(pages).not.toEqual([])
  expect([...index.matchAll(/^\d+\. \[.+?\]\((.+?)\)/gm)].map(([, page]) => page)).toEqual(pages)
})

it('begins each page in a folder of its own, so that pages can be followed one after the other', () => {
  const folders = pages.flatMap((page) => /^mkdir (\S+)/m.exec(readFileSync(join(folder, page), 'utf8'))?.[1] ?? [])
  expect(folders).toHaveLength(pages.length)
  expect([...new Set(folders)]).toEqual(folders)
})

it.each(pages)('%s has a test that follows it', (page) => {
  const test = readFileSync(join(folder, page.replace('.md', '.slow.test.ts')), 'utf8')
  expect(test).toContain(`follow('docs/guide/${page}'`)
})

function numberOf(page: string): number {
  return Number(page.slice(0, page.indexOf('-')))
}
