/** Programs of Debian's: found where they are, installed where they are missing and we may. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where the first of these programs is; `name` is the package that brings it. Throws what a person can mend. */
export function programPath(programs: readonly string[], name: string): string {
  const found = onPath(programs)
  if (found !== undefined) return found
  install(name)
  const installed = onPath(programs)
  if (installed !== undefined) return installed
  throw new Error(`There is no ${programs[0]}. Install it: apt-get install ${name}`)
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
