import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('lets in callers with tokens of the development issuer, each to what is theirs', async () => {
  await using _ = await follow('docs/guide/11-authentication.md')
})
