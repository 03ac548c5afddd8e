/** The console as it is served: built where it is older than what it is made of. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of its files. */
export function builtConsole(): string {
  execFileSync(process.execPath, ['scripts/console.ts'], { cwd: root, stdio: 'inherit' })
  return `${root}packages/cli/static/console`
}
