// docs/configuration.md lists exactly the flags of nomen serve, with their environment variables.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nomen, root } from './nomen.ts'

it('lists every flag of nomen serve with its environment variable', async () => {
  const { output } = await nomen(['serve', '--help'])
  const flags = output.split(/^ {2}(?=--)/m).slice(1)
  const offered = flags.map((text) => [/^--\S+/.exec(text)?.[0], /\(([A-Z_]+)\)/.exec(text)?.[1] ?? ''].join(' '))
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `(--[a-z-]+)` \| ([A-Z_]*)/gm)].map(
    ([, flag, variable]) => `${flag} ${variable}`,
  )
  expect(offered.length).toBeGreaterThan(30)
  expect(listed.sort()).toEqual(offered.sort())
})
