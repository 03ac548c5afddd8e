/** Builds the console where it is older than what it is made of; `--always` builds it in any case. */
import { spawnSync } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const built = join(root, 'packages/cli/static/console')

/** What the built page depends on. */
const sources = [
  'apps/console/{src,public}/**/*',
  'apps/console/{index.html,package.json,vite.config.ts}',
  'package-lock.json',
]

function newest(patterns: readonly string[]): number {
  const times = globSync([...patterns], { cwd: root }).map((name) => statSync(join(root, name)))
  return Math.max(...times.filter((one) => one.isFile()).map(({ mtimeMs }) => mtimeMs))
}

// The page itself is written last: a build that was cut off has none.
const page = statSync(join(built, 'index.html.gz'), { throwIfNoEntry: false })
if (process.argv.includes('--always') || !page || page.mtimeMs < newest(sources)) {
  console.log('Building the console …')
  rmSync(built, { recursive: true, force: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const flags = ['build', '--logLevel', 'warn', '--config', 'apps/console/vite.config.ts']
  // Whoever builds it in a test builds the same.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, [vite, ...flags], { cwd: root, stdio: 'inherit', env })
  process.exitCode = status ?? 1
}
