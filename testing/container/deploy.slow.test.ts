// The files of docs/deploy.md and docs/postgresql.md: the programs that read them find no fault.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { programPath } from '../debian.ts'
import { codeOn } from '../markdown/examples.ts'

/** The file of docs/deploy.md whose first line has this path. */
const fileText = (path: string): string => codeOn('docs/deploy.md', `# ${path}\n`)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nomen-deploy-'))
  const [key, certificate] = [join(folder, 'directory.key'), join(folder, 'directory.crt')]
  const subject = ['-subj', '/CN=directory.example.com', '-days', '2']
  run(programPath(['openssl'], 'openssl'), 'req', '-x509', '-nodes', '-keyout', key, '-out', certificate, ...subject)
  writeFileSync(join(folder, 'directory.pem'), `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a file of the page, with the certificate of this test, and returns its path. */
function saved(path: string, name: string, wrap = (text: string) => text): string {
  const text = fileText(path).replaceAll(/\/etc\/ssl\/(?:private\/)?(?=directory\.)/g, `${folder}/`)
  writeFileSync(join(folder, name), wrap(text))
  return join(folder, name)
}

function run(program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

function checkNginx(path: string): void {
  const { status, output } = run(programPath(['nginx'], 'nginx-light'), '-t', '-e', 'stderr', '-c', path)
  expect([status, output]).toEqual([0, expect.stringContaining('test is successful')])
}

const withinHttp = (text: string) => `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${text}}\n`

it('nginx accepts its file', () => checkNginx(saved('/etc/nginx/conf.d/directory.conf', 'nginx.conf', withinHttp)))

it('nginx accepts the load balancer', () => {
  const path = join(folder, 'balancer.conf')
  writeFileSync(path, withinHttp(codeOn('docs/postgresql.md', 'upstream directory')))
  checkNginx(path)
})

it('Caddy accepts its file', () => {
  const path = saved('/etc/caddy/Caddyfile', 'Caddyfile')
  const { status, output } = run(programPath(['caddy'], 'caddy'), 'adapt', '--validate', '--config', path)
  expect([status, output]).toEqual([0, expect.stringContaining('127.0.0.1:3000')])
})

function checkHaProxy(path: string): void {
  const { status, output } = run(programPath(['haproxy'], 'haproxy'), '-c', '-f', path)
  expect([status, output.includes('ALERT')], output).toEqual([0, false])
}

it('HAProxy accepts its file', () => checkHaProxy(saved('/etc/haproxy/haproxy.cfg', 'haproxy.cfg')))

it('HAProxy accepts the load balancer, also with a backend for writes', () => {
  const balancer = codeOn('docs/postgresql.md', 'global\n')
  const forWrites = codeOn('docs/postgresql.md', 'frontend directory\n')
  const split = balancer.replace(/^frontend directory\n.*?\n\n/ms, `${forWrites}\n`)
  expect(split).not.toBe(balancer)
  for (const [index, text] of [balancer, split].entries()) {
    const path = join(folder, `balancer-${index}.cfg`)
    writeFileSync(path, text)
    checkHaProxy(path)
  }
})

it('logrotate accepts its file', () => {
  const path = saved('/etc/logrotate.d/directory', 'logrotate.conf')
  const { status, output } = run(programPath(['logrotate'], 'logrotate'), '--debug', path)
  expect([status, output.includes('error:')], output).toEqual([0, false])
  expect(output).toContain('/srv/directory/data/access.log')
})

it('systemd accepts its unit', () => {
  mkdirSync(join(folder, 'unit'))
  // The service is not installed here: another program, user and folder take its place.
  const replace = (text: string) =>
    text.replace('/usr/bin/node', process.execPath).replace('User=directory', 'User=daemon')
  const path = saved('/etc/systemd/system/directory.service', 'unit/directory.service', replace)
  const { status, output } = run(programPath(['systemd-analyze'], 'systemd'), 'verify', path)
  expect([status, output.includes('directory.service')], output).toEqual([0, false])
})
