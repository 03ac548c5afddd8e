/** Debian programs, installed if they are missing and we have the permission. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs; `name` is its package. Throws an error that says how to install it. */
export function programPath(programs: readonly string[], name: string): string {
  return findOrInstall(() => onPath(programs), programs[0], name)
}

/** The first file that matches a pattern, such as a module of a program; `name` is its package. */
export function packageFile(pattern: string, name: string): string {
  return findOrInstall(() => globSync(pattern)[0], pattern, name)
}

function findOrInstall(find: () => string | undefined, program: string | undefined, name: string): string {
  const existing = find()
  if (existing !== undefined) return existing
  install(name)
  const installed = find()
  if (installed !== undefined) return installed
  throw new Error(`${program} is missing. Install it: apt-get install ${name}`)
}

function onPath(programs: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const lockFile = join(tmpdir(), 'nomen-debian-packages.lock')

/** Installs a package if this process runs as root. Processes of the tests take turns, because apt-get locks its folders. */
function install(name: string): void {
  if (process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...parts: string[]) =>
    spawnSync('flock', [lockFile, 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=600', ...parts], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  if (apt('install', '-y', '--no-install-recommends', name).status === 0) return
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}
