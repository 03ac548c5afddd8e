/** The version of Nomen. */
import { readFileSync } from 'node:fs'
import { packageFile } from './package-file.ts'

/** Reads the version from the manifest of this package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version
}
