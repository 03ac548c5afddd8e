/** Sort keys: strings whose byte order is the sort order of a language, in SQLite and in PostgreSQL. */
import type { Collation } from '@nomen/core'
import {
  type CollationTable,
  collationTable,
  decompose,
  otherWeights,
  plainWeight,
  type Weights,
} from './collation-table.ts'
import { tailorings } from './tailoring.ts'

/** The version of the sort keys. If it is raised, the next migration computes the stored keys again. */
export const sortKeyVersion = 1

/** How many characters of a string count for its order. */
export const maxSortedLength = 400

/** The longest key. An index entry of PostgreSQL can hold about 2,700 bytes, and also contains the ID. */
const maxKeyBytes = 2400

/** Below all weights, so that a shorter string comes first. */
const separator = ' '

/**
 * The sort key of a string. It has three levels, and each counts only if those before are equal: first letters, without
 * accents and case; then accents; then case. The version of ICU in Node or in the database does not matter. A key depends on the
 * tables in this folder, and on Unicode decomposition, which never changes for assigned characters.
 */
export function sortKey(value: string, collation: Collation): string {
  const table = tableOf(collation)
  const original = decompose(beginningOf(value))
  const lower = original.toLowerCase()
  let [primary, secondary, tertiary] = ['', '', '']
  for (let index = 0; index < lower.length; ) {
    const length = matchLength(table, original, lower, index)
    const [originalPart, lowerPart] = [original.slice(index, index + length), lower.slice(index, index + length)]
    const weights = weightsAt(table, originalPart, lowerPart)
    primary += weights.primary
    secondary += weights.secondary
    tertiary += caseWeight(table, weights, originalPart, lowerPart)
    index += length
  }
  return limitBytes(joinLevels(primary, trimEnd(secondary, plainWeight), trimEnd(tertiary, '0')))
}

const tables = new Map<Collation, CollationTable>()

function tableOf(collation: Collation): CollationTable {
  let table = tables.get(collation)
  if (!table) {
    table = collationTable(tailorings[collation])
    tables.set(collation, table)
  }
  return table
}

function beginningOf(text: string): string {
  if (text.length <= maxSortedLength) return text
  return [...text.slice(0, 2 * maxSortedLength)].slice(0, maxSortedLength).join('')
}

/** The length of the longest sequence at `index` that sorts as one letter, such as Czech "ch", or of one character. */
function matchLength({ sequences, weights }: CollationTable, original: string, lower: string, index: number): number {
  const code = lower.charCodeAt(index)
  const longest = Math.max(sequences[code] ?? 1, sequences[original.charCodeAt(index)] ?? 1)
  for (let length = longest; length > 1; length--) {
    const originalPart = original.slice(index, index + length)
    if (
      weights.has(originalPart) ||
      (weights.has(lower.slice(index, index + length)) && hasSingleLetterCase(originalPart))
    )
      return length
  }
  return (code & 0xfc00) === 0xd800 ? 2 : 1
}

/** Whether the string has the case of a single letter: "cs", "Cs" and "CS" are one letter of Hungarian, "cS" is two. */
function hasSingleLetterCase(text: string): boolean {
  return /^(\P{Lu}+|\p{Lu}\P{Lu}*|[\p{Lu}\p{M}]+)$/su.test(text)
}

function weightsAt({ characters, weights }: CollationTable, original: string, lower: string): Weights {
  const direct =
    lower.length === 1 ? (characters[original.charCodeAt(0)] ?? characters[lower.charCodeAt(0)]) : undefined
  return direct ?? weights.get(original) ?? weights.get(lower) ?? otherWeights(lower)
}

/** One digit: lower case first, unless the language has upper case first. */
function caseWeight(table: CollationTable, weights: Weights, original: string, lower: string): string {
  if (weights.primary === '') return ''
  const isUpper = (index: number) => original.charCodeAt(index) !== lower.charCodeAt(index)
  let caseRank = 0
  if (isUpper(0)) caseRank = isWholeUpper(original) ? 3 : 2
  else if (original !== lower) caseRank = 1
  return `${2 * (table.isUpperFirst ? 3 - caseRank : caseRank) + (weights.isVariant ? 1 : 0)}`
}

function isWholeUpper(text: string): boolean {
  return text.length === 1 || !/\p{Ll}/u.test(text)
}

function joinLevels(primary: string, secondary: string, tertiary: string): string {
  if (tertiary !== '') return `${primary}${separator}${secondary}${separator}${tertiary}`
  return secondary === '' ? primary : `${primary}${separator}${secondary}`
}

/** Removes default weights at the end, which keeps keys short and does not change their order. */
function trimEnd(weights: string, defaultWeight: string): string {
  let end = weights.length
  while (end > 0 && weights.charAt(end - 1) === defaultWeight) end--
  return weights.slice(0, end)
}

/** Cuts after a whole character. The order of keys stays the same, apart from keys that become equal. */
function limitBytes(key: string): string {
  if (key.length * 3 <= maxKeyBytes) return key
  const bytes = Buffer.from(key)
  let end = Math.min(bytes.length, maxKeyBytes)
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
