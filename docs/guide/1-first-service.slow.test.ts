import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads to a service', async () => {
  await using _ = await follow('docs/guide/1-first-service.md')
})
