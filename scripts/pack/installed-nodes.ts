/** Installs the supported versions of Node, to test the packages with them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { npm } from './npm.ts'

export const supportedNodes = ['22', '24', '26']

/** The npm package with Node for this platform. */
const platform = process.platform === 'win32' ? 'win' : process.platform
const nodePackage = `node-${platform === 'darwin' ? 'bin-' : ''}${platform}-${process.arch}`

/** Installs these major versions below the folder. Returns the path of each binary by version. Throws if one is missing. */
export function installedNodes(folder: string, majors: readonly string[]): ReadonlyMap<string, string> {
  const [current] = process.versions.node.split('.')
  const older = majors.filter((major) => major !== current)
  const nodeFolder = join(folder, 'node')
  const dependencies = Object.fromEntries(older.map((major) => [`node-${major}`, `npm:${nodePackage}@${major}`]))
  mkdirSync(nodeFolder)
  writeFileSync(join(nodeFolder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], nodeFolder)
  const programs = older.map((major) =>
    join(nodeFolder, 'node_modules', `node-${major}`, 'bin', basename(process.execPath)),
  )
  return new Map(
    [process.execPath, ...programs].map((program) => [
      execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(),
      program,
    ]),
  )
}
