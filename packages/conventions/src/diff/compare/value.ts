/** Compares what a value may be: its type, its values, its format, its limits. */

import { codeOf, type Pair, type Use } from '../pair.ts'
import type { Remarks, Words } from '../report/remark.ts'
import { keywordPlace, type Shape } from '../shape.ts'
import { isTighter, limitText } from './limit.ts'

/** Notes what differs. False where the types have nothing in common: then nothing below can be compared. */
export function compareValue(pair: Pair, use: Use, note: Remarks): boolean {
  if (isEnvelopeChange(pair, use, note)) return false
  if (!compareType(pair, use, note)) return false
  compareNull(pair, use, note)
  compareValues(pair, use, note)
  compareFormat(pair, use, note)
  compareLimits(pair, use, note)
  compareRestrictions(pair, use, note)
  compareDefault(pair, use, note)
  if (use.kind === 'request') compareTransitions(pair, note)
  const { old, next } = pair
  if (next.isDeprecated && !old.isDeprecated)
    note(codeOf(use, 'deprecated'), (name) => `${name()} is deprecated.`, keywordPlace(next, 'deprecated'))
  return true
}

/** A list that is cut into pages is another answer than a list that is not. */
function isEnvelopeChange({ old, next, isWhole }: Pair, use: Use, note: Remarks): boolean {
  if (use.kind !== 'response' || !isWhole) return false
  if (isEnvelope(old) && isArray(next)) {
    note(
      'envelope-to-array',
      (name) => `${name()} was an envelope with pageInfo and results, is a plain array.`,
      next.parts[0],
    )
    return true
  }
  if (isArray(old) && isEnvelope(next)) {
    note(
      'array-to-envelope',
      (name) => `${name()} was a plain array, is an envelope with pageInfo and results.`,
      next.parts[0],
    )
    return true
  }
  return false
}

function isEnvelope({ types, fields }: Shape): boolean {
  return types?.has('array') !== true && fields.has('pageInfo') && fields.has('results')
}

function isArray({ types }: Shape): boolean {
  return types?.size === 1 && types.has('array')
}

function compareType({ old, next }: Pair, use: Use, note: Remarks): boolean {
  const words: Words = (name) => `${name()} was ${typeText(old)}, is ${typeText(next)}.`
  const places = [keywordPlace(next, 'type'), keywordPlace(old, 'type')] as const
  const fits = { next: covers(next.types, old.types), old: covers(old.types, next.types) }
  if (fits.next && fits.old) return true
  if (fits.next) note(codeOf(use, 'widened'), words, ...places)
  else if (fits.old) note(codeOf(use, 'narrowed'), words, ...places)
  else note(codeOf(use, 'retyped'), words, ...places)
  return fits.next || fits.old
}

function typeText({ types, alternatives }: Shape): string {
  if (types) return types.size > 0 ? [...types].sort().join(' or ') : 'nothing'
  return alternatives.length > 0 ? 'one of several forms' : 'of any type'
}

/** Whether every type of one is among those of another; integers are numbers. */
function covers(all: ReadonlySet<string> | undefined, some: ReadonlySet<string> | undefined): boolean {
  if (!all || !some) return !all
  return [...some].every((type) => all.has(type) || (type === 'integer' && all.has('number')))
}

export function compareNull({ old, next }: Pair, use: Use, note: Remarks): void {
  // What may be anything may be null; that it may no longer be anything has been said.
  if (old.isNullable === next.isNullable || isAnything(old) || isAnything(next)) return
  const places = [keywordPlace(next, 'type'), keywordPlace(old, 'type')] as const
  if (next.isNullable) note(codeOf(use, 'nullable'), (name) => `${name()} may be null.`, ...places)
  else note(codeOf(use, 'not-nullable'), (name) => `${name()} may no longer be null.`, ...places)
}

function isAnything({ types, alternatives }: Shape): boolean {
  return types === undefined && alternatives.length === 0
}

function compareValues({ old, next }: Pair, use: Use, note: Remarks): void {
  const [was, is] = [keywordPlace(old, 'enum'), keywordPlace(next, 'enum')]
  if (old.values && next.values) {
    for (const value of old.values)
      if (!next.values.has(value))
        note(codeOf(use, 'enum-value-removed'), (name) => `${name()} may no longer be ${value}.`, is, was)
    for (const value of next.values)
      if (!old.values.has(value)) {
        const isAnnounced = use.kind === 'response' && old.isExtensible
        note(
          isAnnounced ? 'response-field-loosened' : codeOf(use, 'enum-value-added'),
          (name) => `${name()} may be ${value}.`,
          is,
        )
      }
  } else if (old.values) {
    const all = listed(old.values)
    note(
      use.kind === 'response' ? 'response-enum-value-added' : codeOf(use, 'loosened'),
      (name) => `${name()} was one of ${all}, is any value of its type.`,
      is,
      was,
    )
  } else if (next.values) {
    const all = listed(next.values)
    note(codeOf(use, 'tightened'), (name) => `${name()} was any value of its type, is one of ${all}.`, is)
  }
}

function listed(values: ReadonlySet<string>): string {
  return [...values].join(', ')
}

/** A format that holds all values of another. */
const wider: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' }

/** Who receives a value reads it by its format; who sends one is held to it. */
function compareFormat({ old, next }: Pair, use: Use, note: Remarks): void {
  if (old.format === next.format) return
  const words: Words = (name) => `${name()} had ${formatText(old.format)}, has ${formatText(next.format)}.`
  const places = [keywordPlace(next, 'format'), keywordPlace(old, 'format')] as const
  const isWider = next.format === undefined || (old.format !== undefined && wider[old.format] === next.format)
  const isNarrower = old.format === undefined || (next.format !== undefined && wider[next.format] === old.format)
  if (use.kind === 'response') note(isNarrower ? 'response-field-narrowed' : 'response-field-retyped', words, ...places)
  else if (isWider) note(codeOf(use, 'loosened'), words, ...places)
  else note(codeOf(use, isNarrower ? 'tightened' : 'retyped'), words, ...places)
}

function formatText(format: string | undefined): string {
  return format === undefined ? 'no format' : `the format ${format}`
}

function compareLimits({ old, next }: Pair, use: Use, note: Remarks): void {
  for (const keyword of new Set([...old.limits.keys(), ...next.limits.keys()])) {
    const [was, is] = [old.limits.get(keyword), next.limits.get(keyword)]
    const isLowered = isTighter(keyword, is, was)
    if (!isLowered && !isTighter(keyword, was, is)) continue
    const isPageSize = isPageSizeOf(use) && keyword === 'maximum'
    const code = isPageSize
      ? isLowered
        ? 'max-page-size-lowered'
        : 'max-page-size-raised'
      : codeOf(use, isLowered ? 'tightened' : 'loosened')
    const words: Words = (name) => `${keyword} of ${name()} was ${limitText(was)}, is ${limitText(is)}.`
    note(code, words, keywordPlace(next, keyword), keywordPlace(old, keyword))
  }
}

/** A restriction that is another one may refuse what was taken: nobody can tell from the two of them. */
function compareRestrictions({ old, next }: Pair, use: Use, note: Remarks): void {
  for (const keyword of new Set([...old.restrictions.keys(), ...next.restrictions.keys()])) {
    const [was, is] = [old.restrictions.get(keyword), next.restrictions.get(keyword)]
    if (was === is) continue
    const isLooser = is === undefined || (keyword === 'multipleOf' && Number(was) % Number(is) === 0)
    const words: Words = (name) => `${keyword} of ${name()} was ${was ?? 'none'}, is ${is ?? 'none'}.`
    const places = [keywordPlace(next, keyword), keywordPlace(old, keyword)] as const
    note(codeOf(use, isLooser ? 'loosened' : 'tightened'), words, ...places)
  }
}

/** A default counts where a value may be left out: in a parameter, and in what is created. */
function compareDefault({ old, next, mayBeOmitted }: Pair, use: Use, note: Remarks): void {
  const [was, is] = [old.default, next.default].map((one) => (one === undefined ? undefined : JSON.stringify(one)))
  if (was === is || use.kind === 'response' || !mayBeOmitted) return
  const words: Words = (name) => `${name()} was ${was ?? 'nothing'} where it is left out, is ${is ?? 'nothing'}.`
  const places = [keywordPlace(next, 'default'), keywordPlace(old, 'default')] as const
  if (use.kind === 'parameter')
    note(isPageSizeOf(use) ? 'default-page-size-changed' : 'parameter-default-changed', words, ...places)
  else note(was === undefined ? 'request-default-added' : 'request-default-changed', words, ...places)
}

/** Values that both know, and the ways between them. */
function compareTransitions({ old, next }: Pair, note: Remarks): void {
  if (!old.transitions && !next.transitions) return
  const values = [...(old.values ?? [])].filter((value) => next.values?.has(value)).map((text) => JSON.parse(text))
  for (const from of values)
    for (const to of values.filter((value) => value !== from)) {
      const [was, is] = [isOpen(old, from, to), isOpen(next, from, to)]
      if (was === is) continue
      const places = [keywordPlace(next, 'x-nomen-transitions'), keywordPlace(old, 'x-nomen-transitions')] as const
      if (is) note('transition-added', (name) => `${name()} may go from ${from} to ${to}.`, ...places)
      else note('transition-removed', (name) => `${name()} may no longer go from ${from} to ${to}.`, ...places)
    }
}

function isOpen({ transitions }: Shape, from: unknown, to: unknown): boolean {
  const following = transitions?.[`${from}`]
  return transitions === undefined || (Array.isArray(following) && following.includes(to))
}

function isPageSizeOf(use: Use): boolean {
  return use.kind === 'parameter' && use.name === 'pageSize'
}
