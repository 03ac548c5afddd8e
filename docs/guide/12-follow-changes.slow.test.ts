import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('keeps a file up to date with the changes of a service', async () => {
  await using _ = await follow('docs/guide/12-follow-changes.md')
})
