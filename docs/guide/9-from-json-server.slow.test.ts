import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads from a file of JSON to a service', async () => {
  await using _ = await follow('docs/guide/9-from-json-server.md', {
    servers: [{ command: /^npx json-server\b/, ready: /Endpoints:/ }],
  })
})
