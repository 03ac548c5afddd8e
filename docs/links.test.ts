// Every link between the Markdown pages of this repository leads to a file, and to a heading or an anchor in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

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
  expect(['docs/client.md', '#quick-start', 'docs/specification.md#spec-2-6-1'].every((it) => exists(readme, it))).toBe(
    true,
  )
})

function exists(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page : join(dirname(page), file)
  if (!existsSync(path)) return false
  if (anchor === undefined || statSync(path).isDirectory()) return anchor === undefined
  return anchorsOf(withoutCode(readFileSync(path, 'utf8'))).has(anchor)
}

/** Headings, as GitHub links to them, and explicit anchors. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

function withoutCode(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '')
}
