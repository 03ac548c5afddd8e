// The READMEs of the packages are done block by block, as their readers would do it.
import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

const pages = [
  'packages/core/README',
  'packages/server/README',
  'packages/conventions/README',
  'packages/cli/README',
  'packages/create-nomen/README',
]

it.each(pages)('%s.md runs as its reader would do it', async (page) => {
  await using _ = await follow(`${page}.md`)
})
