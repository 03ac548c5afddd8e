/** One change of a JSON Schema keyword, with its verdict in requests and in responses, in both directions. */
import type { Json } from '../../src/index.ts'

/** `none`: no change is listed. */
export type Verdict = 'breaking' | 'compatible' | 'none'

export interface KeywordRow {
  readonly keyword: string
  readonly old: Json
  readonly next: Json
  /** From old to next, and back. */
  readonly request: readonly [Verdict, Verdict]
  readonly response: readonly [Verdict, Verdict]
}

export const keywordRow = (
  keyword: string,
  old: Json,
  next: Json,
  request: KeywordRow['request'],
  response: KeywordRow['response'],
): KeywordRow => ({ keyword, old, next, request, response })

/** The next schema allows fewer values, and callers read them as before. */
export const tightened = [
  ['breaking', 'compatible'],
  ['compatible', 'compatible'],
] as const
/** The next schema allows fewer values, and the others may be read in another way. */
export const narrowed = [
  ['breaking', 'compatible'],
  ['compatible', 'breaking'],
] as const
/** The next schema allows more values. */
export const widened = [
  ['compatible', 'breaking'],
  ['breaking', 'compatible'],
] as const
/** A change that breaks in both directions. */
export const changed = [
  ['breaking', 'breaking'],
  ['breaking', 'breaking'],
] as const
/** Neither is a part of the other, but callers read the values as before. */
export const otherLimit = [
  ['breaking', 'breaking'],
  ['compatible', 'compatible'],
] as const
/** Annotations. */
export const silent = [
  ['none', 'none'],
  ['none', 'none'],
] as const
