/** Installs the peers, each alone in its own folder, the first time and when its lock file has changed. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nodeOf } from './node.ts'
import { type Node, npm } from './npm.ts'
import type { Peer } from './peer.ts'

export interface Installed {
  readonly peer: Peer
  readonly folder: string
  readonly version: string
  readonly node: { readonly program: string; readonly version: string }
}

/** Throws where it cannot be installed, naming the peer. */
export function install(peer: Peer, say: (text: string) => void): Installed {
  const folder = join(import.meta.dirname, peer.folder)
  try {
    const node = peer.node !== undefined || peer.isCompiled ? nodeOf(peer.node ?? process.versions.node) : undefined
    if (!isInstalled(folder)) {
      say(`installing ${peer.name}${peer.isCompiled ? ', which compiles some of it: minutes' : ''}`)
      rmSync(join(folder, 'dist'), { recursive: true, force: true })
      npm(['ci', '--omit=dev'], { cwd: folder, ...(node && { node }) })
    }
    build(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', peer.package, 'package.json'), 'utf8'))
    return { peer, folder, version: manifest.version, node: programOf(peer, node) }
  } catch (error) {
    throw new Error(`${peer.name} cannot be installed: ${error instanceof Error ? error.message : error}`)
  }
}

function programOf(peer: Peer, node: Node | undefined): Installed['node'] {
  if (peer.node !== undefined && node) return { program: node.program, version: peer.node }
  return { program: process.execPath, version: process.versions.node }
}

/** npm writes its own copy of the lock file last, so a broken install has none. */
function isInstalled(folder: string): boolean {
  const modified = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return modified('node_modules/.package-lock.json') >= modified('package-lock.json')
}

/** Compiles a peer that is written in TypeScript. */
function build(folder: string): void {
  const isBuilt = !existsSync(join(folder, 'tsconfig.json')) || existsSync(join(folder, 'dist'))
  if (isBuilt) return
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '--project', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
}
