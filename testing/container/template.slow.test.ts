// The images of projects that mount their service in Hono and Next.js, built and run for real with a read-only root.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Containers, openContainers } from './containers.ts'
import { containerProject } from './project.ts'
import { startService, stopService } from './service-container.ts'

let containers: Containers
beforeAll(() => {
  containers = openContainers()
}, 1_200_000)
afterAll(() => containers?.remove(), 600_000)

/** Next.js ends with 143 after SIGTERM. A process without a handler would be killed after the stop delay, with 137. */
const exitCodes = { hono: '0', next: '143' } as const

it.each(['hono', 'next'] as const)('serves a project of the template %s', { timeout: 2_400_000 }, async (template) => {
  const project = await containerProject(template)
  try {
    containers.build(project, template)
  } finally {
    rmSync(join(project, '..'), { recursive: true })
  }
  const volumes = ['/srv/data']
  const service = await startService(containers, template, { volumes, command: [], health: '/api/health/ready' })
  const created = await fetch(`${service.url}/api/v1/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Printer' }),
  })
  expect(created.status).toBe(201)
  expect(await (await fetch(`${service.url}/`)).text()).toContain('<html')
  expect(containers.podman('exec', service.id, 'id', '-u')).toBe('1000')
  expect(containers.podman('exec', service.id, 'cat', '/proc/1/comm')).toMatch(/^(node|next-server)/)
  expect(containers.tryPodman('healthcheck', 'run', service.id).status).toBe(0)
  expect(stopService(containers, service)).toBe(exitCodes[template])
})
