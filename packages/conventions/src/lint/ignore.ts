/** What a document or a declaration asks to have ignored, at whatever place in it, and why. */
import { type AnyApi, type AnyResource, type IgnoredRule, operations } from '@nomen/core'
import { isObject, type Json, namesOf } from '@nomen/core/openapi'
import type { DocumentFiles } from './document/files.ts'
import { below, keyOf, type LintFile, type Place } from './place.ts'
import type { PlacedBreach } from './rule/rule.ts'

const keyword = 'x-nomen-ignore'

interface Exception {
  readonly reason: string
  readonly place: Place
}

export interface Ignore extends Exception {
  readonly code: string
  isUsed: boolean
}

export interface Ignores {
  /** By which a finding there is ignored: one at the place itself, around it, or of the document. */
  readonly exceptionFor: (code: string, place: Place) => Exception | undefined
  readonly invalid: readonly PlacedBreach[]
  /** Those that no finding was ignored for so far. */
  readonly unused: () => readonly PlacedBreach[]
}

export function readIgnores(files: DocumentFiles, codes: ReadonlySet<string>): Ignores {
  const byHolder = new Map<string, Ignore[]>()
  const invalid: PlacedBreach[] = []
  for (const file of files.all) {
    for (const [holder, given] of holdersIn({ file, pointer: '' }, file.parsed)) {
      const place = below(holder, keyword)
      const entries = Array.isArray(given) ? given : [given]
      for (const [index, entry] of entries.entries()) {
        const at = Array.isArray(given) ? below(place, index) : place
        const fault = faultOf(entry, codes)
        if (fault) {
          invalid.push({ place: at, ...fault })
          continue
        }
        const { code, reason } = entry as { code: string; reason: string }
        hold(byHolder, [holder], { code, reason, place: at, isUsed: false })
      }
    }
  }
  return ignoresOf(byHolder, { file: files.root, pointer: '' }, invalid)
}

/** What declarations ask to have ignored: an api for all of it, a resource for its operations. */
export function declaredIgnores(apis: readonly AnyApi[], file: LintFile, codes: ReadonlySet<string>): Ignores {
  const byHolder = new Map<string, Ignore[]>()
  const invalid: PlacedBreach[] = []
  const add = (rules: readonly IgnoredRule[] = [], holders: readonly Place[]) => {
    for (const { code, reason } of rules) {
      const [place] = holders
      const fault = faultOf({ code, reason }, codes)
      if (fault && place) invalid.push({ place, ...fault })
      else if (place) hold(byHolder, holders, { code, reason, place, isUsed: false })
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
  return ignoresOf(byHolder, { file, pointer: '' }, invalid)
}

function ignoredBy({ options }: AnyResource): readonly IgnoredRule[] {
  return (options as { readonly ignore?: readonly IgnoredRule[] }).ignore ?? []
}

function hold(byHolder: Map<string, Ignore[]>, holders: readonly Place[], ignore: Ignore): void {
  for (const holder of holders) byHolder.set(keyOf(holder), [...(byHolder.get(keyOf(holder)) ?? []), ignore])
}

function ignoresOf(byHolder: ReadonlyMap<string, Ignore[]>, root: Place, invalid: readonly PlacedBreach[]): Ignores {
  const exceptionFor = (code: string, place: Place) => {
    if (byHolder.size === 0) return undefined
    for (const holder of [...around(place), root]) {
      const ignore = byHolder.get(keyOf(holder))?.find((one) => one.code === code)
      if (!ignore) continue
      ignore.isUsed = true
      return ignore
    }
    return undefined
  }
  const unused = () =>
    [...new Set([...byHolder.values()].flat())].flatMap(({ isUsed, place, code }) => {
      if (isUsed) return []
      return [{ place, message: `Nothing here breaks the rule "${code}" that is ignored.`, fix: 'Leave it out.' }]
    })
  return { exceptionFor, invalid, unused }
}

/** What is wrong with what is to be an exception. */
export function faultOf(entry: Json | undefined, codes: ReadonlySet<string>): Omit<PlacedBreach, 'place'> | undefined {
  const form = `Write ${keyword}: [{ code: plural-path-segment, reason: … }].`
  if (!isObject(entry) || typeof entry.code !== 'string') {
    return { message: `${JSON.stringify(entry)?.slice(0, 80)} names no code to ignore.`, fix: form }
  }
  if (!codes.has(entry.code)) {
    return { message: `There is no rule "${entry.code}" to ignore.`, fix: 'nomen lint --explain all lists the codes.' }
  }
  if (typeof entry.reason === 'string' && entry.reason.trim() !== '') return undefined
  return { message: `"${entry.code}" is ignored without a reason.`, fix: `Say why, in reason. ${form}` }
}

/** The place itself and everything around it, from the inside out. */
function around({ file, pointer }: Place): Place[] {
  const places: Place[] = [{ file, pointer: '' }]
  for (const name of namesOf(pointer)) places.push(below(places.at(-1) as Place, name))
  return places.reverse()
}

/** Every object that carries the keyword. Aliases of YAML may make circles. */
function* holdersIn(start: Place, parsed: Json | undefined): Generator<[Place, Json]> {
  const seen = new Set<unknown>()
  const waiting: [Place, unknown][] = [[start, parsed]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [place, value] = next
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && Object.hasOwn(value, keyword)) yield [place, value[keyword] as Json]
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object' && one !== null && name !== keyword) waiting.push([below(place, name), one])
    }
  }
}
