/** Installs the peers, each alone in its own folder, the first time and when its lock file or Node has changed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeOf } from './node.ts'
import { npm } from './npm.ts'
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
    const version = peer.node ?? process.versions.node
    const node = peer.node !== undefined || peer.isCompiled ? nodeOf(version) : undefined
    const [file, stamp] = [join(folder, 'node_modules', '.installed'), stampOf(folder, version)]
    if (!existsSync(file) || readFileSync(file, 'utf8') !== stamp) {
      say(`installing ${peer.name}${peer.isCompiled ? ', which compiles some of it: minutes' : ''}`)
      npm(['ci', '--omit=dev'], { cwd: folder, ...(node && { node }) })
      writeFileSync(file, stamp)
    }
    build(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', peer.package, 'package.json'), 'utf8'))
    const program = peer.node === undefined ? process.execPath : (node?.program ?? process.execPath)
    return { peer, folder, version: manifest.version, node: { program, version } }
  } catch (error) {
    throw new Error(`${peer.name} cannot be installed: ${error instanceof Error ? error.message : error}`)
  }
}

/** Told beside what is installed: of which lock file it is, and of which Node its compiled parts are. */
function stampOf(folder: string, node: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${node}\n`
}

/** Compiles a peer that is written in TypeScript. */
function build(folder: string): void {
  if (!existsSync(join(folder, 'tsconfig.json'))) return
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '--project', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
}
