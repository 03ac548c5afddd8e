import { expect, it } from 'vitest'
import { packTry } from './pack-try.ts'

const isFull = process.env.PROVE === 'full'

it('creates and runs a project with the packed packages, on Node', {
  timeout: isFull ? 1_800_000 : 600_000,
}, async () => {
  const messages: string[] = []
  // `npm run prove` and `npm run pack:try` test all versions.
  const options = isFull ? {} : ({ majors: [], dryRuns: 'last', templates: [] } as const)
  await packTry((message) => messages.push(message), options)
  const dryRuns = messages.flatMap((text) => /^npm would publish (\S+)@/.exec(text)?.[1] ?? [])
  const published = ['@nomen/core', '@nomen/server', '@nomen/conventions', '@nomen/cli', 'create-nomen']
  expect(dryRuns).toEqual(isFull ? published : ['create-nomen'])
  expect(messages.at(-1)).toBe('Compiled the types with the module resolutions of Node and of bundlers.')
  const nodes = messages.flatMap(
    (text) => /^Tested, served, called and checked the project on Node v(\d+)\./.exec(text)?.[1] ?? [],
  )
  const templates = messages.flatMap((text) => / with the template (\w+)\./.exec(text)?.[1] ?? [])
  expect(templates).toEqual(isFull ? ['hono', 'next'] : [])
  expect(nodes.sort()).toEqual(isFull ? ['22', '24', '26'] : ['26'])
})
