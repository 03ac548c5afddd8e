/** Where the built console lies in this package. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder; undefined in a clone where it has not been built yet. */
export function consoleFolder(): string | undefined {
  const folder = fileURLToPath(new URL('../../static/console', import.meta.url))
  return existsSync(`${folder}/index.html`) ? folder : undefined
}
