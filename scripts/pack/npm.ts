/** Runs npm; an error contains its output. */
import { spawnSync } from 'node:child_process'

/** Returns standard output. `environment` is added to that of this process. */
export function npm(args: readonly string[], folder: string, environment: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed in ${folder}:\n${stdout}${stderr}`)
  return stdout
}
