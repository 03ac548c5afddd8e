/** Exceptions in a file of their own, for documents of others and for whole folders. */
import { matchesGlob } from 'node:path'
import { isObject, type Json, namesOf } from '@nomen/core/openapi'
import { documentError } from '../document/read-document.ts'
import { readLintFile } from './document/files.ts'
import { faultOf, type Ignore, type Ignores } from './ignore.ts'
import { below, type LintFile, type Place } from './place.ts'
import type { PlacedBreach } from './rule/rule.ts'

/** What `readExceptions` gives, for the options of a lint. */
export interface Exceptions {
  readonly file: LintFile
}

/** What an exception is for; what is not said may be anything. */
interface Scope {
  /** A pattern of files: `legacy/**` and so on. */
  readonly file?: string
  /** A pattern of paths of the api: `/users/**`. */
  readonly path?: string
  /** A place in a file, and all that lies below it. */
  readonly pointer?: string
}

interface ScopedIgnore extends Ignore {
  readonly scope: Scope
}

/** Reads a list of exceptions, as YAML or JSON, from a path or an http(s) address. */
export async function readExceptions(source: string): Promise<Exceptions> {
  try {
    const file = await readLintFile(source)
    if (Array.isArray(file.parsed)) return { file }
  } catch (error) {
    throw documentError(source, error, 'a list of exceptions')
  }
  throw documentError(source, 'it is no list. Begin each exception with - code:', 'a list of exceptions')
}

/** Those that a document or a declaration makes itself count first. `files` are those that are linted. */
export function withExceptions(
  own: Ignores,
  { file }: Exceptions,
  files: readonly LintFile[],
  codes: ReadonlySet<string>,
): Ignores {
  const invalid: PlacedBreach[] = []
  const ignores: ScopedIgnore[] = []
  for (const [index, entry] of (file.parsed as readonly Json[]).entries()) {
    const place = below({ file, pointer: '' }, index)
    const fault = faultOf(entry, codes) ?? scopeFault(entry)
    if (fault) invalid.push({ place, ...fault })
    else ignores.push({ ...(entry as unknown as Ignore), scope: entry as Scope, place, isUsed: false })
  }
  return {
    exceptionFor: (code, place) => {
      const inside = own.exceptionFor(code, place)
      const found = inside ?? ignores.find((one) => one.code === code && covers(one.scope, place))
      if (found && !inside) (found as ScopedIgnore).isUsed = true
      return found
    },
    invalid: [...own.invalid, ...invalid],
    unused: () => [
      ...own.unused(),
      ...ignores
        .filter(({ isUsed, scope }) => !isUsed && files.some(({ name }) => isFileOf(scope, name)))
        .map(({ place, code }) => {
          return { place, message: `Nothing that it is for breaks the rule "${code}".`, fix: 'Leave it out.' }
        }),
    ],
  }
}

const known = new Set(['code', 'reason', 'file', 'path', 'pointer'])

function scopeFault(entry: Json): Omit<PlacedBreach, 'place'> | undefined {
  const fix = 'Say by file, path or pointer what it is for: each a text.'
  const [wrong] = Object.entries(isObject(entry) ? entry : {}).filter(([name, value]) => {
    return !known.has(name) || typeof value !== 'string'
  })
  return wrong && { message: `The exception has ${JSON.stringify(wrong[0])}: ${JSON.stringify(wrong[1])}.`, fix }
}

function covers(scope: Scope, { file, pointer }: Place): boolean {
  const { path, pointer: within } = scope
  const isBelow = within === undefined || pointer === within || pointer.startsWith(`${within}/`)
  return isBelow && isFileOf(scope, file.name) && (path === undefined || isPathOf(path, pointer))
}

function isFileOf({ file }: Scope, name: string): boolean {
  return file === undefined || file === name || matchesGlob(name, file)
}

/** The braces of a path are its own, and no choice of a pattern. */
function isPathOf(path: string, pointer: string): boolean {
  const [first, name] = namesOf(pointer)
  const plain = (text: string) => text.replaceAll('{', '<').replaceAll('}', '>')
  return first === 'paths' && name !== undefined && matchesGlob(plain(name), plain(path))
}
