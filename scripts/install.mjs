/**
 * Installs the dependencies before a script, if needed. Plain JavaScript, because on a new clone it runs on the Node of the
 * machine; later scripts run on the Node that package.json pins. An argument is a folder with dependencies of its own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const [folder] = process.argv.slice(2)
const root = folder === undefined ? repository : join(repository, folder)
const modified = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes its copy of the lock file last: an interrupted install has none.
const isInstalled =
  modified('node_modules/.package-lock.json') >= modified('package-lock.json') &&
  ['node', 'node.exe'].some((name) => existsSync(join(repository, 'node_modules/node/bin', name)))

if (!isInstalled) {
  console.log('Installing dependencies …')
  // Engine warnings would refer to the Node that runs npm instead of the pinned one.
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  // Without this, npm installs the workspaces instead of a folder inside of them. No package of such a folder needs its scripts.
  if (folder !== undefined) flags.push('--no-workspaces', '--ignore-scripts')
  // npm runs on the Node of the machine, because it may replace the pinned one.
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  const [command, first] = node && npm ? [node, [npm]] : ['npm', []]
  const { status, error } = spawnSync(command, [...first, ...flags], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
  })
  if (error) console.error(`npm ci could not start: ${error.message}`)
  process.exitCode = status ?? 1
}
