// Every link between the Markdown pages of this repository leads to a file, and to a heading or an anchor in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sections } from './.vitepress/pages.ts'
import { anchorOf, files } from './.vitepress/site-path.ts'

const root = join(import.meta.dirname, '..')
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')

it.each(pages)('%s links to existing pages and anchors', (page) => {
  const path = join(root, page)
  const text = withoutCode(readFileSync(path, 'utf8'))
  const targets = [...text.matchAll(/\]\(([^):\s]+)\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !exists(path, target))).toEqual([])
})

it('finds a missing page and a missing anchor', () => {
  const readme = join(root, 'README.md')
  expect(['docs/missing.md', 'docs/client.md#missing', '#missing'].map((target) => exists(readme, target))).toEqual([
    false,
    false,
    false,
  ])
  expect(
    ['docs/client.md', '#run-the-example', 'docs/specification.md#spec-2-6-1'].every((it) => exists(readme, it)),
  ).toBe(true)
})

it('has every page of the documentation on the site, once', () => {
  const onDisk = pages.filter((page) => page.startsWith('docs/'))
  expect(files.filter((page) => page.startsWith('docs/')).sort()).toEqual(onDisk.sort())
  const listed = sections.flatMap(({ groups }) => groups.flatMap((group) => group.pages.map(({ file }) => file)))
  expect(listed).toEqual([...new Set(listed)])
})

it('numbers repeated headings', () => {
  expect([...anchorsOf('# Api\n## Options\n## Options\n')]).toEqual(['api', 'options', 'options-1'])
})

function exists(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page : join(dirname(page), file)
  if (!existsSync(path)) return false
  if (anchor === undefined || statSync(path).isDirectory()) return anchor === undefined
  return anchorsOf(withoutCode(readFileSync(path, 'utf8'))).has(anchor)
}

/** Headings, as code hosts and the site link to them, and explicit anchors. A repeated heading gets a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading)
    let number = 0
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number++
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`)
  }
  return new Set([...anchors, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

function withoutCode(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '')
}
