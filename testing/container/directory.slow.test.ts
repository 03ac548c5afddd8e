// The image of the example service, built from the repository and run for real.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Containers, openContainers } from './containers.ts'
import { startService, stopService } from './service-container.ts'

let containers: Containers
beforeAll(() => {
  containers = openContainers()
  containers.build(join(import.meta.dirname, '../..'), 'directory')
}, 1_200_000)
afterAll(() => containers?.remove(), 600_000)

it('loads its sample records, serves them and the console, and finishes with code 0 after SIGTERM', async () => {
  const service = await startService(containers, 'directory', { volumes: ['/srv/data'] })
  expect((await fetch(`${service.url}/v1/user/7`)).status).toBe(200)
  expect(await (await fetch(`${service.url}/user`)).json()).toMatchObject({ pageInfo: { numberOfRecords: 200 } })
  expect((await fetch(`${service.url}/console/`)).status).toBe(200)
  expect(containers.tryPodman('healthcheck', 'run', service.id).status).toBe(0)
  expect(containers.podman('logs', service.id)).not.toContain('Warning')
  expect(stopService(containers, service)).toBe('0')
})
