/** Runs npm. */
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

export interface Node {
  readonly program: string
  /** The folder with its headers, for node-gyp's `nodedir`. */
  readonly folder: string
}

/** Throws if npm fails; its output is shown. With `node`, npm and its scripts use that version. */
export function npm(args: readonly string[], { cwd, node }: { readonly cwd: string; readonly node?: Node }): void {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error']
  const environment = {
    ...process.env,
    ...(node && {
      PATH: `${dirname(node.program)}${delimiter}${process.env.PATH}`,
      npm_config_nodedir: node.folder,
    }),
  }
  const { status, error } = spawnSync('npm', [...args, ...flags], {
    cwd,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed in ${cwd}. See its output above.`)
}
