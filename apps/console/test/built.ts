/** The built console. Vitest builds it once before the slow tests, if its sources are newer. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of the built files. */
export const builtConsole = `${root}packages/cli/static/console`

/** The global setup of the slow tests: no test file builds the console while another one serves it. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/console.ts'], { cwd: root, stdio: 'inherit' })
}
