/** Where in a person's own files an error arose. */
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files of the toolkit itself, wherever they lie. */
const own = [
  dirname(import.meta.dirname),
  ...['@nomen/core', '@nomen/server'].map((name) =>
    dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))),
  ),
].map((folder) => folder + sep)

/** An address anywhere; or a path that a line begins with, as Node tells of a file whose kind it had to guess. */
const places = /(file:\/\/[^\s)]+?|^(?:\/|[A-Za-z]:\\)[^\n]+?)((?::\d+){1,2})(?=\)|$)/gm

/** `src/nouns.ts:4:23`, or undefined where no file of that person's had a part in it. */
export function faultPlace(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [, address = '', line] of stack.matchAll(places)) {
    const path = address.startsWith('file:') ? fileURLToPath(address) : address
    if (path.includes(`${sep}node_modules${sep}`) || own.some((folder) => path.startsWith(folder))) continue
    return `${relative('.', path)}${line}`
  }
  return undefined
}
