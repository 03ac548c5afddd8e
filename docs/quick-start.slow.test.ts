// docs/quick-start.md is done block by block, as its reader would do it.
import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads to a running project', async () => {
  await using _ = await follow('docs/quick-start.md')
})
