// The files of docs/deploy.md: the programs that read them find no fault.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { programPath } from '../debian.ts'
import { blocksOf } from '../markdown/block.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')

/** The block whose first line has this path. */
function fileText(path: string): string {
  const block = blocksOf(page).find(({ code }) => code.startsWith(`# ${path}\n`))
  if (!block) throw new Error(`docs/deploy.md has no file ${path}.`)
  return block.code
}

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

it('nginx accepts its file', () => {
  const wrap = (text: string) => `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${text}}\n`
  const path = saved('/etc/nginx/conf.d/directory.conf', 'nginx.conf', wrap)
  const { status, output } = run(programPath(['nginx'], 'nginx-light'), '-t', '-e', 'stderr', '-c', path)
  expect([status, output]).toEqual([0, expect.stringContaining('test is successful')])
})

it('Caddy accepts its file', () => {
  const path = saved('/etc/caddy/Caddyfile', 'Caddyfile')
  const { status, output } = run(programPath(['caddy'], 'caddy'), 'adapt', '--validate', '--config', path)
  expect([status, output]).toEqual([0, expect.stringContaining('127.0.0.1:3000')])
})

it('HAProxy accepts its file', () => {
  const path = saved('/etc/haproxy/haproxy.cfg', 'haproxy.cfg')
  const { status, output } = run(programPath(['haproxy'], 'haproxy'), '-c', '-f', path)
  expect([status, output.includes('ALERT')], output).toEqual([0, false])
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
