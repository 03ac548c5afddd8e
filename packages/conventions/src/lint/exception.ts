/** The exceptions in a document or a declaration, with reasons. */
import { type AnyApi, type AnyResource, type IgnoredRule, operations } from '@nomen/core'
import { isObject, type Json, namesOf } from '@nomen/core/openapi'
import type { DocumentFiles } from './document/files.ts'
import { below, keyOf, type LintFile, type Location } from './location.ts'
import type { LocatedViolation } from './rule/rule.ts'

const keyword = 'x-nomen-ignore'

interface Exception {
  readonly reason: string
  readonly location: Location
}

/** An exception of one rule, and whether it has matched a finding. */
export interface TrackedException extends Exception {
  readonly code: string
  isUsed: boolean
}

export interface ExceptionSet {
  /** The exception for a finding: at its location, at an object around it, or of the document. */
  readonly exceptionFor: (code: string, location: Location) => Exception | undefined
  readonly invalid: readonly LocatedViolation[]
  /** The exceptions that have not matched a finding so far. */
  readonly unused: () => readonly LocatedViolation[]
}

export function documentExceptions(files: DocumentFiles, codes: ReadonlySet<string>): ExceptionSet {
  const exceptionsByLocation = new Map<string, TrackedException[]>()
  const invalid: LocatedViolation[] = []
  for (const file of files.all) {
    for (const [owner, declared] of ownersIn({ file, pointer: '' }, file.parsed)) {
      const location = below(owner, keyword)
      const entries = Array.isArray(declared) ? declared : [declared]
      for (const [index, entry] of entries.entries()) {
        const entryLocation = Array.isArray(declared) ? below(location, index) : location
        const fault = exceptionFault(entry, codes)
        if (fault) {
          invalid.push({ location: entryLocation, ...fault })
          continue
        }
        const { code, reason } = entry as { code: string; reason: string }
        addException(exceptionsByLocation, [owner], { code, reason, location: entryLocation, isUsed: false })
      }
    }
  }
  return exceptionSet(exceptionsByLocation, { file: files.root, pointer: '' }, invalid)
}

/** The exceptions of declarations: those of an api apply to all operations, those of a resource to its own. */
export function declaredExceptions(apis: readonly AnyApi[], file: LintFile, codes: ReadonlySet<string>): ExceptionSet {
  const exceptionsByLocation = new Map<string, TrackedException[]>()
  const invalid: LocatedViolation[] = []
  const add = (rules: readonly IgnoredRule[] = [], owners: readonly Location[]) => {
    for (const { code, reason } of rules) {
      const [location] = owners
      const fault = exceptionFault({ code, reason }, codes)
      if (fault && location) invalid.push({ location, ...fault })
      else if (location) addException(exceptionsByLocation, owners, { code, reason, location, isUsed: false })
    }
  }
  for (const api of apis) {
    const root = below({ file, pointer: '' }, api.name)
    add(api.options.ignore, [root])
    const byResource = Map.groupBy(operations(api), ({ resource }) => resource)
    for (const [resource, table] of byResource)
      add(
        ignoredBy(resource),
        table.map(({ id }) => below(root, id)),
      )
  }
  return exceptionSet(exceptionsByLocation, { file, pointer: '' }, invalid)
}

function ignoredBy({ options }: AnyResource): readonly IgnoredRule[] {
  return (options as { readonly ignore?: readonly IgnoredRule[] }).ignore ?? []
}

function addException(
  exceptionsByLocation: Map<string, TrackedException[]>,
  owners: readonly Location[],
  exception: TrackedException,
): void {
  for (const owner of owners)
    exceptionsByLocation.set(keyOf(owner), [...(exceptionsByLocation.get(keyOf(owner)) ?? []), exception])
}

function exceptionSet(
  exceptionsByLocation: ReadonlyMap<string, TrackedException[]>,
  root: Location,
  invalid: readonly LocatedViolation[],
): ExceptionSet {
  const exceptionFor = (code: string, location: Location) => {
    if (exceptionsByLocation.size === 0) return undefined
    for (const owner of [...enclosingLocations(location), root]) {
      const exception = exceptionsByLocation.get(keyOf(owner))?.find((exception) => exception.code === code)
      if (!exception) continue
      exception.isUsed = true
      return exception
    }
    return undefined
  }
  const unused = () =>
    [...new Set([...exceptionsByLocation.values()].flat())].flatMap(({ isUsed, location, code }) => {
      if (isUsed) return []
      return [{ location, message: `The exception for "${code}" is not needed here.`, fix: 'Remove it.' }]
    })
  return { exceptionFor, invalid, unused }
}

/** Why an exception is invalid; undefined if it is valid. */
export function exceptionFault(
  entry: Json | undefined,
  codes: ReadonlySet<string>,
): Omit<LocatedViolation, 'location'> | undefined {
  const example = `Write ${keyword}: [{ code: plural-path-segment, reason: … }].`
  if (!isObject(entry) || typeof entry.code !== 'string') {
    return { message: `The exception ${JSON.stringify(entry)?.slice(0, 80)} has no code.`, fix: example }
  }
  if (!codes.has(entry.code)) {
    return { message: `Unknown rule "${entry.code}".`, fix: 'Run "nomen lint --explain all" for a list.' }
  }
  if (typeof entry.reason === 'string' && entry.reason.trim() !== '') return undefined
  return { message: `The exception for "${entry.code}" has no reason.`, fix: `Add a reason. ${example}` }
}

/** The location and all objects around it, from the inside out. */
function enclosingLocations({ file, pointer }: Location): Location[] {
  const locations: Location[] = [{ file, pointer: '' }]
  for (const name of namesOf(pointer)) locations.push(below(locations.at(-1) as Location, name))
  return locations.reverse()
}

/** All objects with the keyword. YAML aliases may form cycles. */
function* ownersIn(start: Location, parsed: Json | undefined): Generator<[Location, Json]> {
  const visited = new Set<unknown>()
  const pending: [Location, unknown][] = [[start, parsed]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [location, value] = next
    if (typeof value !== 'object' || value === null || visited.has(value)) continue
    visited.add(value)
    if (isObject(value) && Object.hasOwn(value, keyword)) yield [location, value[keyword] as Json]
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null && name !== keyword)
        pending.push([below(location, name), member])
    }
  }
}
