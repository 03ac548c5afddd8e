// Bun and Deno run a service, with the same responses as Node: in process, over `node:http`, and over their own servers.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The lines that `responses.ts` prints on a runtime. */
function linesOn(program: string, ...flags: readonly string[]): readonly string[] {
  const args = [...flags, join(import.meta.dirname, 'responses.ts')]
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27, stdio: 'pipe' } as const
  return execFileSync(program, args, options).split('\n')
}

/** The program of a package for this machine, which npm installs as an optional dependency. */
function programIn(pattern: string): string {
  const [program = ''] = globSync(pattern, { cwd: join(import.meta.dirname, 'node_modules') })
  return join(import.meta.dirname, 'node_modules', program)
}

let expected: readonly string[] = []
beforeAll(() => {
  expected = linesOn(process.execPath)
})

it.each([
  ['Bun', '@oven/bun-*/bin/bun', []],
  ['Deno', '@deno/*/deno', ['run', '--allow-all']],
] as const)('%s gives the responses of Node', (_, pattern, flags) => {
  const lines = linesOn(programIn(pattern), ...flags)
  expect(lines.filter((line, index) => line !== expected[index])).toEqual([])
  expect(lines).toHaveLength(expected.length)
  expect(lines.length).toBeGreaterThan(4000)
})
