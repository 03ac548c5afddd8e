import { expect, it } from 'vitest'
import { packTry } from './pack-try.ts'

const isFull = process.env.PROVE === 'full'

it('creates and runs a project with the packed packages, on the oldest and the newest supported Node', {
  timeout: 600_000,
}, async () => {
  const messages: string[] = []
  // `npm run prove` and `npm run pack:try` test all versions.
  await packTry((message) => messages.push(message), isFull ? ['22', '24'] : ['22'])
  expect(messages.at(-1)).toBe('Compiled the types with the module resolutions of Node and of bundlers.')
  const nodes = messages.flatMap(
    (text) => /^Tested, served, called and checked the project on Node v(\d+)\./.exec(text)?.[1] ?? [],
  )
  expect(nodes.sort()).toEqual(isFull ? ['22', '24', '26'] : ['22', '26'])
})
