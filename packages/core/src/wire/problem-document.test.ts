import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problems } from './problem.ts'

const page = readFileSync(new URL('../../../../docs/problems.md', import.meta.url), 'utf8')
const documented = new Map(
  [...page.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]),
)

describe('docs/problems.md', () => {
  it.each(Object.entries(problems))('documents %s with its status', (code, [status]) => {
    expect(documented.get(code)).toBe(status)
  })

  it('documents only codes that exist', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(problems, code as string))).toEqual([])
  })
})
