import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, fileOf } from '@nomen/testing/markdown/block'
import { follow } from '@nomen/testing/markdown/follow'
import { expect, it } from 'vitest'

it('leads from handlers to a declaration, and keeps the rest', async () => {
  await using _ = await follow('docs/guide/10-from-express.md', {
    servers: [{ command: /^node server\.ts/, ready: /Listening at / }],
  })
})

it('says how many lines of code there were, and are', () => {
  const page = readFileSync(join(import.meta.dirname, '10-from-express.md'), 'utf8')
  const files = blocksOf(page).flatMap((block) => fileOf(block) ?? [])
  const size = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('//')).length
  const of = (name: string) => files.filter((file) => file.name === name).map(({ text }) => size(text))
  const [[handlers = 0, report = 0], [alone = 0, mounted = 0]] = [of('legacy.ts'), of('server.ts')]
  const [declaration = 0] = of('declaration.ts')
  const [rules = 0] = of('service.ts')
  const all = report + mounted + declaration + rules
  const sizes = `The application had ${handlers + alone} lines of code and now has ${all}. Of these, ${mounted} are in`
  expect(page).toContain(sizes)
})
