/** Programs of Debian's: found where they are, installed where they are missing and we may. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where the first of these programs is; `name` is the package that brings it. Throws what a person can fix. */
export function programPath(programs: readonly string[], name: string): string {
  return installed(() => onPath(programs), programs[0], name)
}

/** The file that a pattern fits, such as a module of a program; `name` is the package that brings it. */
export function packageFile(pattern: string, name: string): string {
  return installed(() => globSync(pattern)[0], pattern, name)
}

function installed(find: () => string | undefined, what: string | undefined, name: string): string {
  const found = find()
  if (found !== undefined) return found
  install(name)
  const brought = find()
  if (brought !== undefined) return brought
  throw new Error(`There is no ${what}. Install it: apt-get install ${name}`)
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

/** For those who may install it. */
function install(name: string): void {
  if (process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...parts: string[]) =>
    spawnSync('apt-get', ['-qq', ...parts], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (apt('install', '-y', '--no-install-recommends', name).status === 0) return
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}
