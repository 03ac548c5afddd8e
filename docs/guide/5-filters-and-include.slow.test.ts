import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('finds what is asked for, and what must be there', async () => {
  await using _ = await follow('docs/guide/5-filters-and-include.md')
})
