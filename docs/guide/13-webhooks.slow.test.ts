import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('receives signed changes of a service', async () => {
  const servers = [{ command: /^node receiver\.ts/, ready: /The receiver is ready/ }]
  await using _ = await follow('docs/guide/13-webhooks.md', { servers })
})
