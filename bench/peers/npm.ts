/** Runs npm. */
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

export interface Node {
  readonly program: string
  /** Its folder with headers, which node-gyp is given as `nodedir`. */
  readonly folder: string
}

/** Throws where npm fails; what it says is shown. With a Node given, npm and all that it runs use that one. */
export function npm(given: readonly string[], { cwd, node }: { readonly cwd: string; readonly node?: Node }): void {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error']
  const environment = {
    ...process.env,
    ...(node && {
      PATH: `${dirname(node.program)}${delimiter}${process.env.PATH}`,
      npm_config_nodedir: node.folder,
    }),
  }
  const { status, error } = spawnSync('npm', [...given, ...flags], {
    cwd,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`\`npm ${given.join(' ')}\` failed in ${cwd}. What it says stands above.`)
}
