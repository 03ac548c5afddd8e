/** What `nomen lint` lints: documents, service files, patterns that match them, standard input. */
import { existsSync, globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { isServiceFile } from '../flag/bulk.ts'
import { serviceFileAt } from '../service-file/load.ts'

export interface LintSource {
  readonly kind: 'document' | 'service' | 'input'
  readonly name: string
  /** The pattern that found it: what it finds need not be a document. */
  readonly pattern?: string
}

/** What the words name, each once, in their order; what a pattern matches is sorted by name. */
export function lintSources(words: readonly string[]): readonly LintSource[] {
  const sources = words.flatMap(sourcesOf)
  const byKey = new Map<string, LintSource>()
  for (const one of sources) {
    const key = isAddress(one.name) || one.kind === 'input' ? one.name : resolve(one.name)
    // What is named is a document whatever a pattern says.
    if (!byKey.has(key) || one.pattern === undefined) byKey.set(key, one)
  }
  return [...byKey.values()]
}

function sourcesOf(word: string): readonly LintSource[] {
  if (word === '-') return [{ kind: 'input', name: 'stdin' }]
  if (isAddress(word)) return [{ kind: 'document', name: word }]
  const found = statSync(word, { throwIfNoEntry: false })
  if (!found && isPattern(word)) return matchesOf(word)
  if (found?.isDirectory()) return [folderSource(word)]
  if (isServiceFile(word)) return [{ kind: 'service', name: word }]
  if (found) return [{ kind: 'document', name: word }]
  throw new CommandError(`There is no document at ${word}.`, 'Name a file that is there, or an http address.')
}

const usualDocuments = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/** The service file of a folder, else the document in it that bears the usual name. */
function folderSource(folder: string): LintSource {
  if (serviceFileAt(folder) !== undefined) return { kind: 'service', name: folder }
  const document = usualDocuments.map((name) => join(folder, name)).find((name) => existsSync(name))
  if (document !== undefined) return { kind: 'document', name: document }
  throw new CommandError(
    `There is neither a service.ts nor an openapi.yaml ${folder === '.' ? 'here' : `in ${folder}`}.`,
    `Name a document or a service file, or documents by a pattern: nomen lint '${join(folder, '**/*.yaml')}'`,
  )
}

function matchesOf(pattern: string): readonly LintSource[] {
  const names = globSync(pattern, { exclude: isInstalled }).filter((name) => statSync(name).isFile())
  if (names.length === 0)
    throw new CommandError(`No file matches ${pattern}.`, "** stands for any folders: 'apis/**/*.yaml'.")
  return names.sort().map((name) => ({ kind: isServiceFile(name) ? 'service' : 'document', name, pattern }))
}

/** Packages of others are not linted with one's own. */
function isInstalled(name: string): boolean {
  return /(^|[\\/])node_modules$/.test(name)
}

function isPattern(word: string): boolean {
  return /[*?[\]{}]/.test(word)
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word)
}
