/** Builds the console if its sources are newer, or always with `--always`. */
import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newest } from './newest.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'packages/cli/static/console')

/** The files that the build depends on. */
const sources = [
  'apps/console/{src,public}/**/*',
  'apps/console/{index.html,package.json,vite.config.ts}',
  'package-lock.json',
]

// The build writes the page last, so an interrupted build has no page.
const page = statSync(join(built, 'index.html.gz'), { throwIfNoEntry: false })
if (process.argv.includes('--always') || !page || page.mtimeMs < newest(root, sources)) {
  console.log('Building the console …')
  rmSync(built, { recursive: true, force: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const flags = ['build', '--logLevel', 'warn', '--config', 'apps/console/vite.config.ts']
  // A build that a test starts must be a production build too.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, [vite, ...flags], { cwd: root, stdio: 'inherit', env })
  process.exitCode = status ?? 1
}
