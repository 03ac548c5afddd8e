import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads from one version to the next', async () => {
  await using _ = await follow('docs/guide/6-versions-and-retirement.md')
})
