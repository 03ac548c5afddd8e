// The image of a new project, built and run for real: a read-only root, no privileges, 256 MiB of memory.
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { buildDatabase, openCompose } from './compose.ts'
import { type Containers, openContainers } from './containers.ts'
import { containerProject } from './project.ts'
import { hardened, startService, stopService } from './service-container.ts'

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
}, 600_000)

/** Starts a container whose data folder is a folder of this name, which a second container can share. */
function start(volume: string, environment: Readonly<Record<string, string>> = {}) {
  const path = join(folder, volume)
  mkdirSync(path, { recursive: true })
  chownSync(path, 1000, 1000)
  return startService(containers, 'desk', { volumes: [`${path}:/srv/data`], environment })
}

const create = (url: string, name: string) =>
  fetch(`${url}/v1/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

it('does not serve other machines without authentication', () => {
  const { status, output } = containers.tryPodman('run', '--rm', ...hardened, 'desk')
  expect([status, output]).toEqual([1, expect.stringContaining('Other machines can reach 0.0.0.0')])
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

it('loads many records, for which SQLite writes temporary files', async () => {
  const { id, url } = await start('load')
  const names = Array.from({ length: 20_000 }, (_, index) => `Ticket ${index}`)
  writeFileSync(join(folder, 'load/ticket.csv'), ['name', ...names].join('\n'))
  containers.podman('exec', id, 'node', 'node_modules/.bin/nomen', 'load', 'ticket', 'data/ticket.csv')
  const response = await fetch(`${url}/v1/ticket?name=Ticket 19999`)
  expect(await response.json()).toMatchObject({ results: [{ name: 'Ticket 19999' }] })
})

it.each(['1', '2'])('finishes with code 0 after SIGTERM and keeps its records, with %s processes', async (workers) => {
  const environment = { WORKERS: workers }
  const first = await start(`stop-${workers}`, environment)
  expect((await create(first.url, 'Kept')).status).toBe(201)
  expect(stopService(containers, first)).toBe('0')
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
  const volumes = [`${secret}:${path}:ro`, '/srv/data']
  const { id } = await startService(containers, 'desk', { volumes, environment: { DATABASE_URL_FILE: path } })
  await expect.poll(() => containers.podman('logs', id)).toContain('sqlite:data/from-secret.db, created')
})

it('serves from PostgreSQL with compose.yaml, and keeps its records when it stops and starts', {
  timeout: 600_000,
}, async () => {
  containers.podman('tag', 'desk', 'desk_service')
  buildDatabase(containers, join(folder, 'database'))
  const port = await freePort()
  const path = join(project, 'compose.yaml')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"127.0.0.1:3000:3000"', `"127.0.0.1:${port}:3000"`))
  const api = await containers.serveApi()
  onTestFinished(api.close)
  const { run, containerOf } = openCompose(containers, api.url, project)
  onTestFinished(async () => void (await run('down', '--volumes', '--timeout', '1')))
  const url = `http://127.0.0.1:${port}`
  const status = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status
  const startAll = async () => {
    await run('up', '--no-build', '--detach')
    await expect.poll(status).toBe(200)
  }

  await startAll()
  expect((await create(url, 'Printer')).status).toBe(201)
  const { HostConfig, State } = JSON.parse(containers.podman('inspect', containerOf('service')))[0]
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, SecurityOpt: ['no-new-privileges'] })
  expect(State.Running).toBe(true)

  await run('stop')
  expect(containers.podman('inspect', '--format', '{{.State.ExitCode}}', containerOf('service'))).toBe('0')
  await run('down')
  await startAll()
  const response = await fetch(`${url}/v1/ticket?name=Printer`)
  expect(await response.json()).toMatchObject({ results: [{ name: 'Printer' }] })
})
