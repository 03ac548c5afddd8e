/** Programs of a later Debian release, with their libraries, in a folder of their own. The system stays as it is. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Release {
  readonly name: string
  /** The package of the program, and those of its libraries. */
  readonly packages: readonly string[]
  /** The path of the program in its package. */
  readonly program: string
}

/** Downloads and unpacks the packages once. Returns the path of a script that runs the program. */
export function programOf({ name, packages, program }: Release, folder: string): string {
  const script = join(folder, 'run.sh')
  if (existsSync(script)) return script
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  for (const part of ['lists', 'cache', 'packages', 'root']) mkdirSync(join(unfinished, part), { recursive: true })
  writeFileSync(join(unfinished, 'status'), '')
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(join(unfinished, 'sources.list'), `deb [signed-by=${key}] http://deb.debian.org/debian ${name} main\n`)
  const options = [
    `Dir::Etc::sourcelist=${join(unfinished, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(unfinished, 'lists')}`,
    `Dir::State::status=${join(unfinished, 'status')}`,
    `Dir::Cache=${join(unfinished, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  run('apt-get', ['-qq', ...options, 'update'], unfinished)
  run('apt-get', ['-qq', ...options, 'download', ...packages], join(unfinished, 'packages'))
  for (const file of globSync(join(unfinished, 'packages/*.deb'))) run('dpkg-deb', ['-x', file, 'root'], unfinished)
  for (const part of ['lists', 'cache', 'packages']) rmSync(join(unfinished, part), { recursive: true })
  const root = join(folder, 'root')
  const [loader = ''] = globSync('usr/lib/*/ld-linux*.so.*', { cwd: join(unfinished, 'root') })
  const libraries = join(root, loader, '..')
  const command = `exec ${join(root, loader)} --library-path ${libraries} ${join(root, program)} "$@"`
  writeFileSync(join(unfinished, 'run.sh'), `#!/bin/sh\n${command}\n`)
  chmodSync(join(unfinished, 'run.sh'), 0o755)
  renameSync(unfinished, folder)
  return script
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} fails.`, { cause: error })
}
