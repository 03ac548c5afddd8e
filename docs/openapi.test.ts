// docs/openapi.md lists every extension of the OpenAPI documents, and no other.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const extensionsIn = (text: string) => text.match(/x-nomen-[a-z-]*[a-z]/g) ?? []

it('lists every extension that documents use', () => {
  const sources = globSync('packages/core/src/**/*.ts', { cwd: root }).filter((file) => !file.includes('.test'))
  const used = new Set(sources.flatMap((file) => extensionsIn(readFileSync(join(root, file), 'utf8'))))
  const rows = readFileSync(join(root, 'docs/openapi.md'), 'utf8').match(/^\| [^|]+ \| `x-nomen-[a-z-]+`/gm) ?? []
  expect(used.size).toBeGreaterThan(10)
  expect([...new Set(rows.flatMap(extensionsIn))].sort()).toEqual([...used].sort())
})
