/** Exceptions in a separate file, for documents that you cannot change and for whole folders. */
import { matchesGlob } from 'node:path'
import { isObject, type Json, namesOf } from '@nomen/core/openapi'
import { documentError } from '../document/read-document.ts'
import { readLintFile } from './document/files.ts'
import { type ExceptionSet, exceptionFault, type TrackedException } from './exception.ts'
import { below, type LintFile, type Location } from './location.ts'
import type { LocatedViolation } from './rule/rule.ts'

/** Lint exceptions, as `readExceptions` returns them. */
export interface Exceptions {
  readonly file: LintFile
}

/** The scope of an exception; a missing part matches everything. */
interface Scope {
  /** A pattern of files, such as `legacy/**`. */
  readonly file?: string
  /** A pattern of paths of the api: `/users/**` is `/users` and everything below it. */
  readonly path?: string
  /** A JSON pointer; matches the location and everything below it. */
  readonly pointer?: string
}

interface ScopedException extends TrackedException {
  readonly scope: Scope
}

/**
 * Reads a list of lint exceptions in YAML or JSON from a path or a URL.
 *
 * @example
 * ```ts
 * const report = await lintDocument('openapi.yaml', { exceptions: await readExceptions('lint-exceptions.yaml') })
 * ```
 *
 * @throws DocumentError if the file cannot be read
 */
export async function readExceptions(source: string): Promise<Exceptions> {
  try {
    const file = await readLintFile(source)
    if (Array.isArray(file.parsed)) return { file }
  } catch (error) {
    throw documentError(source, error, 'a list of exceptions')
  }
  throw documentError(source, 'it is not a list. Start each exception with - code:', 'a list of exceptions')
}

/** Exceptions in the document or declaration take precedence. `files` are the linted files. */
export function withExceptions(
  ownExceptions: ExceptionSet,
  { file }: Exceptions,
  files: readonly LintFile[],
  codes: ReadonlySet<string>,
): ExceptionSet {
  const invalid: LocatedViolation[] = []
  const scoped: ScopedException[] = []
  for (const [index, entry] of (file.parsed as readonly Json[]).entries()) {
    const location = below({ file, pointer: '' }, index)
    const fault = exceptionFault(entry, codes) ?? scopeFault(entry)
    if (fault) invalid.push({ location, ...fault })
    else scoped.push({ ...(entry as unknown as TrackedException), scope: entry as Scope, location, isUsed: false })
  }
  return {
    exceptionFor: (code, location) => {
      const ownException = ownExceptions.exceptionFor(code, location)
      if (ownException) return ownException
      const exception = scoped.find((candidate) => candidate.code === code && covers(candidate.scope, location))
      if (exception) exception.isUsed = true
      return exception
    },
    invalid: [...ownExceptions.invalid, ...invalid],
    unused: () => [
      ...ownExceptions.unused(),
      ...scoped
        .filter(({ isUsed, scope }) => !isUsed && files.some(({ name }) => isFileOf(scope, name)))
        .map(({ location, code }) => {
          return { location, message: `The exception for "${code}" is not needed.`, fix: 'Remove it.' }
        }),
    ],
  }
}

const scopeMembers = new Set(['code', 'reason', 'file', 'path', 'pointer'])

function scopeFault(entry: Json): Omit<LocatedViolation, 'location'> | undefined {
  const fix = 'Set the scope with the strings file, path or pointer.'
  const [invalidMember] = Object.entries(isObject(entry) ? entry : {}).filter(([name, value]) => {
    return !scopeMembers.has(name) || typeof value !== 'string'
  })
  return (
    invalidMember && {
      message: `The exception has ${JSON.stringify(invalidMember[0])}: ${JSON.stringify(invalidMember[1])}.`,
      fix,
    }
  )
}

function covers(scope: Scope, { file, pointer }: Location): boolean {
  const { path, pointer: scopePointer } = scope
  const isBelow = scopePointer === undefined || pointer === scopePointer || pointer.startsWith(`${scopePointer}/`)
  return isBelow && isFileOf(scope, file.name) && (path === undefined || isPathOf(path, pointer))
}

function isFileOf({ file }: Scope, name: string): boolean {
  return file === undefined || file === name || matchesGlob(name, file)
}

/** Braces in a path are parameters, and not alternatives of a pattern. `/users/**` includes `/users`, where its findings begin. */
function isPathOf(path: string, pointer: string): boolean {
  const [first, name] = namesOf(pointer)
  const escapeBraces = (text: string) => text.replaceAll('{', '<').replaceAll('}', '>')
  return (
    first === 'paths' &&
    name !== undefined &&
    matchesGlob(escapeBraces(name), escapeBraces(path).replace(/\/\*\*$/, '{,/**}'))
  )
}
