/** A surface with what rules ask of it: which operation lists, which reads one record, and what a record is. */

import type { Segment, Shape, ShapeProperty, Surface, SurfaceContent, SurfaceOperation } from './surface.ts'
import type { PluralJudge } from './word/plural.ts'
import { wordsOf } from './word/words.ts'

export interface View {
  readonly surface: Surface
  readonly singular: PluralJudge
  /** Operations by method and path with unnamed parameters: `get /user/{}`. */
  readonly find: (method: string, path: string) => SurfaceOperation | undefined
  readonly isList: (operation: SurfaceOperation) => boolean
}

export function viewOf(surface: Surface, singular: PluralJudge): View {
  const byKey = new Map(surface.operations.map((one) => [`${one.method} ${patternOf(one)}`, one]))
  const patterns = new Set(surface.operations.map(patternOf))
  const isList = (operation: SurfaceOperation) => {
    const last = operation.segments.at(-1)
    if (operation.method !== 'get' || operation.isCustom) return false
    if (!last || last.isParameter || last.text.startsWith('by-')) return false
    const shape = successOf(operation)?.shape
    if (shape?.type === 'array') return true
    if (shape?.properties.has('results') || shape?.properties.has('pageInfo')) return true
    return patterns.has(`${last.prefix}/{}`) && shape !== undefined && recordOf(shape) !== shape
  }
  return { surface, singular, find: (method, path) => byKey.get(`${method} ${path}`), isList }
}

export function listsOf({ surface, isList }: View): readonly SurfaceOperation[] {
  return surface.operations.filter(isList)
}

/** A path with unnamed parameters. */
export function patternOf({ segments }: SurfaceOperation): string {
  return segments.at(-1)?.prefix ?? '/'
}

export function isSingle({ segments }: SurfaceOperation): boolean {
  return segments.at(-1)?.isParameter === true
}

/** The answer where all went well. */
export function successOf({ responses }: SurfaceOperation): SurfaceContent | undefined {
  const status = ['200', '201', '2XX'].find((one) => responses.has(one)) ?? [...responses.keys()].find(isSuccess)
  return status === undefined ? undefined : responses.get(status)
}

export function isSuccess(status: string): boolean {
  return /^2(\d\d|XX)$/i.test(status)
}

/** The segment that says what the operation is about, and the words of its name without `-detail` and `-summary`. */
export function nounOf({ segments }: SurfaceOperation): { segment: Segment; words: readonly string[] } | undefined {
  const segment = segments.findLast(({ text }) => text !== '' && !text.includes('{') && !text.startsWith('by-'))
  return segment && { segment, words: wordsOf(segment.text.replace(/-(detail|summary)$/, '')) }
}

/** A record in an answer: the answer itself, an element of it, or of the one array of records that it wraps. */
export function recordOf(shape: Shape): Shape {
  if (shape.type === 'array') return shape.items ?? shape
  const results = shape.properties.get('results')?.shape
  if (results?.type === 'array') return results.items ?? shape
  const arrays = [...shape.properties.values()].filter(({ shape: one }) => one.items?.type === 'object')
  const isWrapper = arrays.length === 1 && [...shape.properties.keys()].every((name) => !isIdentifier(name))
  return isWrapper ? (arrays[0]?.shape.items ?? shape) : shape
}

/** All properties of the records of a list or a single read, where they are told in full. */
export function propertiesOf(operation: SurfaceOperation | undefined): ReadonlyMap<string, ShapeProperty> | undefined {
  const shape = operation && successOf(operation)?.shape
  if (!shape) return undefined
  const record = isSingle(operation) ? unwrapped(shape) : recordOf(shape)
  return record.isOpen || record.properties.size === 0 ? undefined : record.properties
}

/** The names that one shape has and another lacks; none where they have nothing in common, and so are no two views of one thing. */
export function lacking(
  whole: ReadonlyMap<string, ShapeProperty> | undefined,
  part: ReadonlyMap<string, ShapeProperty> | undefined,
): readonly string[] {
  if (!whole || !part) return []
  const missing = [...whole.keys()].filter((name) => !part.has(name))
  return missing.length === whole.size ? [] : missing
}

/** The record in an answer such as `{ "user": { … } }`. */
export function unwrapped(shape: Shape): Shape {
  const [only, ...others] = [...shape.properties.values()].filter(({ shape: one }) => one.properties.size > 0)
  const isWrapper = only && others.length === 0 && shape.properties.size <= 3
  return isWrapper && [...shape.properties.keys()].every((name) => !isIdentifier(name)) ? only.shape : shape
}

export function isIdentifier(name: string): boolean {
  return /^(id|ref|uuid|guid|uid)$/.test(wordsOf(name).at(-1) ?? '')
}
