/** Which version this is. */
import { readFileSync } from 'node:fs'

/** Of the package that this file lies in, compiled or not. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
