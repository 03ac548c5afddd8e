/** Runs npm, and tells what it said where it fails. */
import { spawnSync } from 'node:child_process'

/** What npm wrote to standard output. `environment` is added to that of this process. */
export function npm(given: readonly string[], folder: string, environment: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync('npm', given, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`\`npm ${given.join(' ')}\` failed in ${folder}:\n${stdout}${stderr}`)
  return stdout
}
