// The generated parts of the documentation agree with the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedPages } from './.vitepress/generate.ts'
import { expectSame, fillRows, replaceRegion } from './.vitepress/reference/region.ts'

const root = join(import.meta.dirname, '..')

// Some metrics exist only on Linux.
it.runIf(process.platform === 'linux')('no page is stale: "npm run docs:generate" changes nothing', async () => {
  const pages = await generatedPages()
  expect(pages.size).toBeGreaterThan(15)
  for (const [page, text] of pages) expect(readFileSync(join(root, page), 'utf8'), page).toBe(text)
})

it('replaces only the named region', () => {
  const page = 'a\n<!-- generated: x -->\nold\n<!-- end of generated text -->\nb\n'
  expect(replaceRegion(page, 'x', 'new')).toBe('a\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated text -->\nb\n')
  expect(() => replaceRegion(page, 'y', 'new')).toThrow('no region')
})

it('fills the cells from code, and keeps the others', () => {
  const page = '| `one` | old | mine |\n| `two` | old | mine |\n'
  const rows = new Map(['one', 'two'].map((code) => [code, ['new', undefined]]))
  expect(fillRows(page, rows)).toBe('| `one` | new | mine |\n| `two` | new | mine |\n')
})

it('reports codes that a page lacks, or that do not exist', () => {
  expect(() => expectSame(['one'], ['one', 'two'])).toThrow('lacks [two]')
  expect(() => expectSame(['one', 'two'], ['one'])).toThrow('has [two] too much')
  expect(() => expectSame(['two', 'one'], ['one', 'two'])).toThrow('The order must be: one, two')
})
