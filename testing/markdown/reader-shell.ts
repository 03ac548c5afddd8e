/** The shell of a reader: an empty folder in a home of its own, and nothing of this checkout but what is installed there. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Ports } from './ports.ts'
import { root } from './root.ts'
import { Shell } from './shell.ts'

/** What npm would take from a registry comes from this checkout, and our command can be called before it is installed. */
const prelude = `npm() {
  case "$1" in
    install|ci) shift; node ${root}/testing/markdown/install.ts "$@" ;;
    *) command npm "$@" ;;
  esac
}
npx() {
  case "$1" in
    @nomen/cli) shift; node ${root}/packages/cli/src/nomen.ts "$@" ;;
    vite) shift; if [ "$1" = build ]; then vite "$@"; else node ${root}/testing/markdown/vite.ts "$@"; fi ;;
    *) "$@" ;;
  esac
}`

/** `own` is for files of the shell itself. */
export function readerShell(base: string, own: string, ports: Ports): { shell: Shell; folder: string } {
  const home = join(base, 'home')
  const folder = join(home, 'work')
  for (const made of [own, folder]) mkdirSync(made, { recursive: true })
  // At a terminal curl shows no progress.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')
  const environment = {
    PATH: ['node_modules/.bin', dirname(process.execPath), ...machinePath()].join(':'),
    HOME: home,
    NO_COLOR: '1',
    PORT: ports.free('3000'),
    VITE_PORT: ports.free('5173'),
    // What a process has compiled serves the next.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/nomen-test'),
    npm_config_update_notifier: 'false',
  }
  return { shell: new Shell(folder, own, environment, prelude), folder }
}

/** Without the commands of this checkout, which npm puts there. */
function machinePath(): readonly string[] {
  return `${process.env.PATH}`.split(':').filter((folder) => !folder.endsWith('node_modules/.bin'))
}
