/** The shell of a reader: an empty folder in its own home, without access to this checkout except for installed packages. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nomenArguments } from '../compiled.ts'
import type { Ports } from './ports.ts'
import { root } from './root.ts'
import { Shell } from './shell.ts'

/** npm installs packages from this checkout instead of a registry, and our command can run before it is installed. */
const prelude = `npm() {
  case "$1" in
    install|ci) shift; node ${root}/testing/markdown/install.ts "$@" ;;
    create)
      # Like npm, without the two hyphens before the flags.
      local words=() word
      for word in "\${@:3}"; do [ "$word" = -- ] || words+=("$word"); done
      node ${root}/packages/create-nomen/src/create-nomen.ts "\${words[@]}" ;;
    *) command npm "$@" ;;
  esac
}
npx() {
  case "$1" in
    @nomen/cli) shift; node ${nomenArguments.join(' ')} "$@" ;;
    vite) shift; if [ "$1" = build ]; then vite "$@"; else node ${root}/testing/markdown/vite.ts "$@"; fi ;;
    *) "$@" ;;
  esac
}`

/** `shellFolder` is for files of the shell itself. */
export function readerShell(base: string, shellFolder: string, ports: Ports): { shell: Shell; folder: string } {
  const home = join(base, 'home')
  const folder = join(home, 'work')
  for (const path of [shellFolder, folder]) mkdirSync(path, { recursive: true })
  // Like curl at a terminal, without progress output.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')
  const environment = {
    PATH: ['node_modules/.bin', dirname(process.execPath), ...machinePath()].join(':'),
    HOME: home,
    NO_COLOR: '1',
    PORT: ports.free('3000'),
    VITE_PORT: ports.free('5173'),
    // Processes share compiled code.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/nomen-test'),
    npm_config_update_notifier: 'false',
  }
  return { shell: new Shell(folder, shellFolder, environment, prelude), folder }
}

/** Without the commands of this checkout, which npm adds. */
function machinePath(): readonly string[] {
  return `${process.env.PATH}`.split(':').filter((folder) => !folder.endsWith('node_modules/.bin'))
}
