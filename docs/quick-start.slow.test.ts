// docs/quick-start.md is done block by block, as its reader would do it.
import { follow } from '@nomen/testing/markdown/follow'
import { it } from 'vitest'

it('leads to a running project', async () => {
  await using _ = await follow('docs/quick-start.md', {
    // The program reads it; its default has the port of the page.
    setup: 'export BASE_URL=http://127.0.0.1:3000',
    // packages/cli/test/readme.slow.test.ts starts the clone, and new.slow.test.ts creates projects from it.
    isTestedElsewhere: ({ code }) => /^npm start|^npx nomen new/.test(code),
  })
})
