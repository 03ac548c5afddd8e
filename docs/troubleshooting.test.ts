// The error messages on docs/troubleshooting.md are those of the code.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const [, section = ''] = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8').split('\n## By error message\n')
const texts = [...section.matchAll(/^\| `(.+?)` \|/gm)].map(([, text = '']) => text)
const source = globSync('packages/*/src/**/*.ts', { cwd: root })
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

it('lists error messages', () => expect(texts.length).toBeGreaterThan(10))

it.each(texts)('%s is a message of the code', (text) => {
  // Values are interpolated: each part between them must be in the source.
  const parts = text.split('…').flatMap((part) => part.trim() || [])
  expect(parts.filter((part) => !source.includes(part.replaceAll("'", "\\'")) && !source.includes(part))).toEqual([])
})
