/** The sources of `nomen lint`: documents, service files, patterns, standard input. */
import { existsSync, globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { isServiceFile, isUrl } from '../input-file.ts'
import { serviceFileAt } from '../service-file/load.ts'

export interface LintSource {
  readonly kind: 'document' | 'service' | 'input'
  readonly name: string
  /** The pattern that matched the file, which may be something other than a document. */
  readonly pattern?: string
}

/** The sources of the arguments, without duplicates, in order. Matches of a pattern are sorted by name. */
export function lintSources(words: readonly string[]): readonly LintSource[] {
  const sources = words.flatMap(sourcesOf)
  const byKey = new Map<string, LintSource>()
  for (const source of sources) {
    const key = isUrl(source.name) || source.kind === 'input' ? source.name : resolve(source.name)
    // A file that is given by name must be a document, even if a pattern matches it too.
    if (!byKey.has(key) || source.pattern === undefined) byKey.set(key, source)
  }
  return [...byKey.values()]
}

function sourcesOf(word: string): readonly LintSource[] {
  if (word === '-') return [{ kind: 'input', name: 'stdin' }]
  if (isUrl(word)) return [{ kind: 'document', name: word }]
  const stats = statSync(word, { throwIfNoEntry: false })
  if (!stats && isPattern(word)) return matchesOf(word)
  if (stats?.isDirectory()) return [folderSource(word)]
  if (isServiceFile(word)) return [{ kind: 'service', name: word }]
  if (stats) return [{ kind: 'document', name: word }]
  throw new CommandError(`Document not found: ${word}.`, 'Use an existing file or an http URL.')
}

const usualDocuments = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/** The service file of a folder, or else its document with a usual name. */
function folderSource(folder: string): LintSource {
  if (serviceFileAt(folder) !== undefined) return { kind: 'service', name: folder }
  const document = usualDocuments.map((name) => join(folder, name)).find((name) => existsSync(name))
  if (document !== undefined) return { kind: 'document', name: document }
  throw new CommandError(
    `There is neither a service.ts nor an openapi.yaml in ${folder === '.' ? 'this folder' : folder}.`,
    `Use a document, a service file, or a pattern: nomen lint '${join(folder, '**/*.yaml')}'`,
  )
}

function matchesOf(pattern: string): readonly LintSource[] {
  // A link without a target is not a file.
  const names = globSync(pattern, { exclude: isInstalled }).filter((name) =>
    statSync(name, { throwIfNoEntry: false })?.isFile(),
  )
  if (names.length === 0)
    throw new CommandError(
      `No file matches ${pattern}.`,
      "Check the pattern. To include subfolders, use **: 'apis/**/*.yaml'.",
    )
  return names.sort().map((name) => ({ kind: isServiceFile(name) ? 'service' : 'document', name, pattern }))
}

/** Installed packages are not linted. */
function isInstalled(name: string): boolean {
  return /(^|[\\/])node_modules$/.test(name)
}

function isPattern(word: string): boolean {
  return /[*?[\]{}]/.test(word)
}
