import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads to what is wrong with a document, and with a service', async () => {
  await using _ = await follow('docs/guide/8-linting-another-teams-api.md', {
    servers: [{ command: /^node orders\.ts/, ready: /Orders at / }],
  })
})
