// The image of a new project, built and run for real: a read-only root, no privileges, 256 MiB of memory.
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../postgres.ts'
import { type Containers, openContainers } from './containers.ts'
import { containerProject } from './project.ts'

let containers: Containers
let project = ''
let folder = ''
beforeAll(async () => {
  project = await containerProject()
  containers = openContainers()
  containers.build(project, 'desk')
  folder = mkdtempSync(join(tmpdir(), 'nomen-volume-'))
}, 1_200_000)
afterAll(() => {
  containers?.remove()
  if (folder) rmSync(folder, { recursive: true })
  if (project) rmSync(join(project, '..'), { recursive: true })
})

const serve = ['node', 'node_modules/.bin/nomen', 'serve']
// The limits of this process, which the runtime could not raise.
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--memory', '256m']
const hardened = [...limits, '--network', 'host', '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all']

interface Running {
  readonly id: string
  readonly url: string
}

/** Starts a container with an own volume, or that of another name, and waits until it is ready. */
async function start(volume: string, environment: Readonly<Record<string, string>> = {}): Promise<Running> {
  const path = join(folder, volume)
  mkdirSync(path, { recursive: true })
  chownSync(path, 1000, 1000)
  const port = await freePort()
  const variables = Object.entries({ PORT: `${port}`, ...environment }).map(([name, value]) => `--env=${name}=${value}`)
  const mount = `--volume=${path}:/srv/data`
  const id = containers.podman(
    'run',
    '--detach',
    ...hardened,
    ...variables,
    mount,
    'desk',
    ...serve,
    '--allow-anonymous',
  )
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status ?? containers.podman('logs', id),
    )
    .toBe(200)
  return { id, url }
}

const create = (url: string, name: string) =>
  fetch(`${url}/v1/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

it('does not serve other machines without authentication', () => {
  const { status, output } = containers.tryPodman('run', '--rm', ...hardened, 'desk')
  expect([status, output]).toEqual([2, expect.stringContaining('Other machines can reach 0.0.0.0')])
})

it('serves as an unprivileged user with node as the first process, and is healthy', async () => {
  const { id, url } = await start('serve')
  expect((await create(url, 'Printer')).status).toBe(201)
  expect(containers.podman('exec', id, 'id', '-u')).toBe('1000')
  expect(containers.podman('exec', id, 'cat', '/proc/1/cmdline').replaceAll('\0', ' ')).toMatch(/^node .*nomen serve/)
  expect(containers.tryPodman('healthcheck', 'run', id).status).toBe(0)
  expect(containers.podman('logs', id)).toContain('"POST /v1/ticket HTTP/1.1" 201')
})

it('writes to its volume only', async () => {
  const { id, url } = await start('write')
  expect((await create(url, 'Printer')).status).toBe(201)
  expect(readdirSync(join(folder, 'write')).sort()).toEqual(['plain.db', 'plain.db-shm', 'plain.db-wal'])
  for (const path of ['/srv/file', '/tmp/file', '/home/node/file'])
    expect(containers.tryPodman('exec', id, 'touch', path).output).toContain('Read-only file system')
})

it.each(['1', '2'])('finishes with code 0 after SIGTERM and keeps its records, with %s processes', async (workers) => {
  const environment = { WORKERS: workers }
  const first = await start(`stop-${workers}`, environment)
  expect((await create(first.url, 'Kept')).status).toBe(201)
  containers.podman('stop', '--time', '20', first.id)
  expect(containers.podman('inspect', '--format', '{{.State.ExitCode}}', first.id)).toBe('0')
  const second = await start(`stop-${workers}`, environment)
  expect(await (await fetch(`${second.url}/v1/ticket?name=Kept`)).json()).toMatchObject({ results: [{ name: 'Kept' }] })
})

it('serves within STOP_DELAY after SIGTERM, and is not ready', async () => {
  const { id, url } = await start('delay', { STOP_DELAY: '600' })
  containers.podman('kill', '--signal', 'TERM', id)
  await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503)
  expect((await fetch(`${url}/v1/ticket`)).status).toBe(200)
})

it('reads the database URL from a secret', async () => {
  const path = '/run/secrets/database-url'
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'sqlite:data/from-secret.db\n', { mode: 0o444 })
  const port = await freePort()
  const mounts = [`--volume=${secret}:${path}:ro`, '--volume=/srv/data']
  const variables = [`--env=PORT=${port}`, `--env=DATABASE_URL_FILE=${path}`]
  const id = containers.podman(
    'run',
    '--detach',
    ...hardened,
    ...variables,
    ...mounts,
    'desk',
    ...serve,
    '--allow-anonymous',
  )
  await expect.poll(() => containers.podman('logs', id)).toContain('sqlite:data/from-secret.db, created')
})
