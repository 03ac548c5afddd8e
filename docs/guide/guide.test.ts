// Every page of the guide is in its index, and is followed by a test; and so is every link on it.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const folder = import.meta.dirname
const pages = globSync('[0-9]*.md', { cwd: folder }).sort((one, other) => numberOf(one) - numberOf(other))

it('has an index of its pages, in their order', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(pages).not.toEqual([])
  expect([...index.matchAll(/^\d+\. \[.+?\]\((.+?)\)/gm)].map(([, page]) => page)).toEqual(pages)
})

it.each(pages)('%s has a test that follows it', (page) => {
  const test = readFileSync(join(folder, page.replace('.md', '.slow.test.ts')), 'utf8')
  expect(test).toContain(`follow('docs/guide/${page}'`)
})

it.each([...pages, 'README.md', '../../README.md'])('%s links to what is there', (page) => {
  const path = join(folder, page)
  const text = readFileSync(path, 'utf8').replace(/^```.*?^```$/gms, '')
  const targets = [...text.matchAll(/\]\(([^):]+)\)/g)].map(([, target = '']) => target)
  const isThere = (target: string) => {
    const [file = '', anchor] = target.split('#')
    const found = join(dirname(path), file)
    return existsSync(found) && (anchor === undefined || anchorsOf(readFileSync(found, 'utf8')).includes(anchor))
  }
  expect(targets.filter((target) => !isThere(target))).toEqual([])
})

/** The headings of a page as GitHub links to them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function numberOf(page: string): number {
  return Number(page.slice(0, page.indexOf('-')))
}
