/** An operation table with queries for rules. */
import {
  type DescribedOperation,
  type DocumentOperation,
  type OpenApiTable,
  recordIn,
  type Segment,
  type Shape,
  type ShapeProperty,
  wordsOf,
} from '@nomen/core/openapi'
import type { PluralDetector } from './word/plural.ts'

export interface View {
  readonly table: OpenApiTable
  readonly singular: PluralDetector
  /** Operations by method and path with unnamed parameters: `get /user/{}`. */
  readonly find: (method: string, path: string) => DocumentOperation | undefined
}

export function viewOf(table: OpenApiTable, singular: PluralDetector): View {
  const byKey = new Map(table.operations.map((operation) => [`${operation.method} ${operation.key}`, operation]))
  return { table, singular, find: (method, path) => byKey.get(`${method} ${path}`) }
}

/** Whether it is a list whose response the document describes. */
export function isList({ list }: DocumentOperation): boolean {
  return list !== undefined && list.form !== 'unknown'
}

export function listsOf({ table }: View): readonly DocumentOperation[] {
  return table.operations.filter(isList)
}

/** Whether its path ends in the identity of a record. */
export function isSingle({ segments }: DescribedOperation): boolean {
  return segments.at(-1)?.isParameter === true
}

/** The segment of the noun, and the words of its name without `-detail` and `-summary`. */
export function nounOf({ segments }: DescribedOperation): { segment: Segment; words: readonly string[] } | undefined {
  const segment = segments.findLast(({ text }) => text !== '' && !text.includes('{') && !text.startsWith('by-'))
  return segment && { segment, words: wordsOf(segment.text.replace(/-(detail|summary)$/, '')) }
}

/** The query parameters. */
export function queryOf<Parameter extends { readonly in: string }>(operation: {
  readonly parameters: readonly Parameter[]
}): readonly Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === 'query')
}

/** One record in the body of a request or a response. */
export function recordOf(operation: DescribedOperation, shape: Shape): Shape {
  return recordIn(shape, isSingle(operation) ? (nounOf(operation)?.segment.text ?? '') : undefined)
}

/** All properties that an operation returns of its records, if the document describes them completely. */
export function propertiesOf(
  operation: DescribedOperation | undefined,
): ReadonlyMap<string, ShapeProperty> | undefined {
  const shape = operation?.success?.shape
  const record = shape && recordOf(operation, shape)
  if (!record || record.isOpen || record.properties.size === 0) return undefined
  return new Map([...record.properties].filter(([, property]) => !property.isWriteOnly))
}

/** The names that one shape has and another lacks; empty if they share no name, because then they are unrelated. */
export function missingNames(
  whole: ReadonlyMap<string, ShapeProperty> | undefined,
  part: ReadonlyMap<string, ShapeProperty> | undefined,
): readonly string[] {
  if (!whole || !part) return []
  const missing = [...whole.keys()].filter((name) => !part.has(name))
  return missing.length === whole.size ? [] : missing
}
