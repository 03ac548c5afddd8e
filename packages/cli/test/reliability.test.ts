// docs/reliability.md lists existing tests and every attack.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './nomen.ts'

const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8')

it('lists an existing test for every fault', () => {
  const listedTests = [...text.matchAll(/\| `([\w./-]+\.test\.ts)` "([^"]+)" \|$/gm)]
  expect(listedTests.length).toBeGreaterThan(15)
  for (const [, path = '', name = ''] of listedTests)
    expect(readFileSync(join(root, path), 'utf8'), path).toContain(`it('${name}'`)
})

it('lists every attack', () => {
  const readTest = (name: string) => readFileSync(join(root, 'packages/server/test', name), 'utf8')
  const attacks = `${readTest('owasp.test.ts')}${readTest('owasp-operation.test.ts')}`
  for (let number = 1; number <= 10; number++) {
    expect(text).toContain(`| API${number} |`)
    expect(attacks).toContain(`describe('API${number} `)
  }
})
