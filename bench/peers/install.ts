/** Installs the peers, each in its own folder, on first use and after a change of its lock file or of Node. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeOf } from './node.ts'
import { npm } from './npm.ts'
import type { Peer } from './peer.ts'

export interface Installation {
  readonly peer: Peer
  readonly folder: string
  readonly version: string
  readonly node: { readonly program: string; readonly version: string }
}

/** Throws an error with the name of the peer if it cannot be installed. */
export function install(peer: Peer, say: (text: string) => void): Installation {
  const folder = join(import.meta.dirname, peer.folder)
  try {
    const version = peer.node ?? process.versions.node
    const current = { program: process.execPath, version }
    if (peer.package === undefined) return { peer, folder, version: peer.readVersion?.() ?? '', node: current }
    const node = peer.node !== undefined || peer.isCompiled ? nodeOf(version) : undefined
    const [file, stamp] = [join(folder, 'node_modules', '.installed'), stampOf(folder, version)]
    if (!existsSync(file) || readFileSync(file, 'utf8') !== stamp) {
      say(`installing ${peer.name}${peer.isCompiled ? ', which compiles native code and takes minutes' : ''}`)
      npm(['ci', '--omit=dev'], { cwd: folder, ...(node && { node }) })
      writeFileSync(file, stamp)
    }
    build(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', peer.package, 'package.json'), 'utf8'))
    const program = peer.node === undefined ? process.execPath : (node?.program ?? process.execPath)
    return { peer, folder, version: peer.readVersion?.() ?? manifest.version, node: { program, version } }
  } catch (error) {
    throw new Error(`${peer.name} cannot be installed: ${error instanceof Error ? error.message : error}`)
  }
}

/** Identifies an installation: a hash of its lock file, and the version of Node. */
function stampOf(folder: string, node: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${node}\n`
}

/** Compiles a peer in TypeScript. */
function build(folder: string): void {
  if (!existsSync(join(folder, 'tsconfig.json'))) return
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '--project', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
}
