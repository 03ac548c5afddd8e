import { programPath } from '@nomen/testing/debian'
import { follow } from '@nomen/testing/markdown/follow'
import { startPostgres, startStandby } from '@nomen/testing/postgres'
import { it } from 'vitest'

it('leads to instances behind nginx, on a primary and its replica', async () => {
  programPath(['nginx'], 'nginx-light')
  const primary = await startPostgres()
  const replica = await startStandby(primary, 'replica')
  try {
    await using _ = await follow('docs/guide/7-postgresql-and-fleets.md', {
      servers: [{ command: /^nginx\b/, ready: /start worker process/ }],
      replace: {
        'postgres://desk@localhost/desk': primary.url(),
        'postgres://desk@replica.internal/desk': replica.url(),
      },
    })
  } finally {
    await replica.remove()
    await primary.remove()
  }
})
