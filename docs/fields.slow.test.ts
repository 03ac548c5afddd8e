// docs/fields.md is done block by block, as its reader would do it.
import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('declares fields as the page says', async () => {
  await using _ = await follow('docs/fields.md')
})
