/** Finds the built console in this package. */
import { existsSync } from 'node:fs'
import { packageFile } from './package-file.ts'

/** The folder; undefined in a clone without a built console. */
export function consoleFolder(): string | undefined {
  const folder = packageFile('static/console')
  return existsSync(`${folder}/index.html`) ? folder : undefined
}
