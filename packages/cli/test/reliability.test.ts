// docs/reliability.md names the test of every fault, and the counts of the proofs; both must be true.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './nomen.ts'

const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8')

it('names a test that is there for everything that goes wrong', () => {
  const named = [...text.matchAll(/\| `([\w./-]+\.test\.ts)` "([^"]+)" \|$/gm)]
  expect(named.length).toBeGreaterThan(15)
  for (const [, path = '', name = ''] of named)
    expect(readFileSync(join(root, path), 'utf8'), path).toContain(`it('${name}'`)
})

it('names every attack of the list', () => {
  const attacks = readFileSync(join(root, 'packages/server/test/owasp.test.ts'), 'utf8')
  for (let number = 1; number <= 10; number++) {
    expect(text).toContain(`| API${number} |`)
    expect(attacks).toContain(`describe('API${number} `)
  }
})
