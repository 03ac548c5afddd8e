import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('reads and writes below records, and links them', async () => {
  await using _ = await follow('docs/guide/4-nesting-and-links.md')
})
