/** Finds the line of the user's files where an error was thrown. */
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders of Nomen itself. */
const ownFolders = ['cli', 'core', 'server'].map(
  (name) => dirname(fileURLToPath(import.meta.resolve(`@nomen/${name}/package.json`))) + sep,
)

/** A file URL anywhere, or a path at the start of a line, as Node writes it for syntax errors. */
const locations = /(file:\/\/[^\s)]+?|^(?:\/|[A-Za-z]:\\)[^\n]+?)((?::\d+){1,2})(?=\)|$)/gm

/** `src/nouns.ts:4:23`, or undefined if no file of the user is in the stack. */
export function faultLocation(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [, location = '', line] of stack.matchAll(locations)) {
    const path = location.startsWith('file:') ? fileURLToPath(location) : location
    if (path.includes(`${sep}node_modules${sep}`) || ownFolders.some((folder) => path.startsWith(folder))) continue
    return `${relative('.', path)}${line}`
  }
  return undefined
}
