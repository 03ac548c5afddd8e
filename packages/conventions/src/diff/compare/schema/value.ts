/** Compares the type, enum, format and limits of a value. */

import type { Location } from '../../location.ts'
import { codeOf, type Pair, type Use } from '../../pair.ts'
import type { AddRemark, RemarkMessage } from '../../report/remark.ts'
import { isUnrestricted } from '../../restriction.ts'
import { keywordLocation, type Shape } from '../../shape.ts'
import { compareDiscriminator } from './discriminator.ts'
import { inSameNotation } from './format-notation.ts'
import { isTighter, limitText } from './limit.ts'
import { compareRestrictions } from './restrictions.ts'

/** Adds the differences as remarks. Returns false if the types have nothing in common, so that nothing below can be compared. */
export function compareValue(pair: Pair, use: Use, addRemark: AddRemark): boolean {
  if (isEnvelopeChange(pair, use, addRemark)) return false
  if (!compareType(pair, use, addRemark)) return false
  // A value that may be anything has no parts to compare.
  if (allowsAnything(pair.old) !== allowsAnything(pair.next) && pair.old.types !== pair.next.types) return false
  compareNull(pair, use, addRemark)
  compareValues(pair, use, addRemark)
  const comparable = inSameNotation(pair)
  compareFormat(comparable, use, addRemark)
  compareLimits(pair, use, addRemark)
  compareRestrictions(comparable, use, addRemark)
  compareDiscriminator(pair, use, addRemark)
  compareDefault(pair, use, addRemark)
  if (use.kind === 'request') compareTransitions(pair, addRemark)
  const { old, next } = pair
  if (next.isDeprecated && !old.isDeprecated)
    addRemark(codeOf(use, 'deprecated'), (name) => `${name()} became deprecated.`, keywordLocation(next, 'deprecated'))
  return true
}

/** A paginated list and a plain array are different responses. */
function isEnvelopeChange({ old, next, isWhole }: Pair, use: Use, addRemark: AddRemark): boolean {
  if (use.kind !== 'response' || !isWhole) return false
  if (isEnvelope(old) && isArray(next)) {
    addRemark(
      'envelope-to-array',
      (name) => `${name()} changed from an envelope with pageInfo and results to a plain array.`,
      next.parts[0],
    )
    return true
  }
  if (isArray(old) && isEnvelope(next)) {
    addRemark(
      'array-to-envelope',
      (name) => `${name()} changed from a plain array to an envelope with pageInfo and results.`,
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

function compareType({ old, next }: Pair, use: Use, addRemark: AddRemark): boolean {
  const message: RemarkMessage = (name) => `${name()} changed from ${typeText(old)} to ${typeText(next)}.`
  const locations = [keywordLocation(next, 'type'), keywordLocation(old, 'type')] as const
  const coversOther = {
    next: covers(next.types, old.types, use.isText),
    old: covers(old.types, next.types, use.isText),
  }
  if (coversOther.next && coversOther.old) return true
  if (coversOther.next) addRemark(codeOf(use, 'widened'), message, ...locations)
  else if (coversOther.old) addRemark(codeOf(use, 'narrowed'), message, ...locations)
  else addRemark(codeOf(use, 'retyped'), message, ...locations)
  return coversOther.next || coversOther.old
}

function typeText({ types, choices }: Shape): string {
  if (types) return types.size > 0 ? [...types].sort().join(' or ') : 'nothing'
  return choices.length > 0 ? 'one of several schemas' : 'any type'
}

/** Whether all types of one shape are types of another; integers are numbers, and in a URL all of them are strings. */
function covers(
  types: ReadonlySet<string> | undefined,
  subset: ReadonlySet<string> | undefined,
  isText = false,
): boolean {
  if (!types || !subset) return !types
  const isTextual = (type: string) => isText && types.has('string') && ['integer', 'number', 'boolean'].includes(type)
  return [...subset].every((type) => types.has(type) || (type === 'integer' && types.has('number')) || isTextual(type))
}

export function compareNull({ old, next }: Pair, use: Use, addRemark: AddRemark): void {
  // Any type includes null, and the change of the type is already a remark.
  if (old.isNullable === next.isNullable || isAnything(old) || isAnything(next)) return
  const locations = [keywordLocation(next, 'type'), keywordLocation(old, 'type')] as const
  if (next.isNullable) addRemark(codeOf(use, 'nullable'), (name) => `${name()} may be null.`, ...locations)
  else addRemark(codeOf(use, 'not-nullable'), (name) => `${name()} may no longer be null.`, ...locations)
}

function allowsAnything({ parts }: Shape): boolean {
  return parts.every(({ value }) => isUnrestricted(value))
}

function isAnything({ types, choices }: Shape): boolean {
  return types === undefined && choices.length === 0
}

function compareValues(pair: Pair, use: Use, addRemark: AddRemark): void {
  const { old, next } = pair
  if (old.values && next.values) compareEnums(pair, old.values, next.values, use, addRemark)
  else if (old.values) {
    const valuesText = valueList(old.values)
    addRemark(
      use.kind === 'response' && !old.isExtensible ? 'response-enum-value-added' : codeOf(use, 'loosened'),
      (name) => `${name()} was one of ${valuesText}, and may now be any value of its type.`,
      enumLocation(next),
      enumLocation(old),
    )
  } else if (next.values) {
    const valuesText = valueList(next.values)
    addRemark(
      codeOf(use, 'tightened'),
      (name) => `${name()} was any value of its type, and must now be one of ${valuesText}.`,
      enumLocation(next),
    )
  }
}

function compareEnums(
  { old, next }: Pair,
  oldValues: ReadonlySet<string>,
  nextValues: ReadonlySet<string>,
  use: Use,
  addRemark: AddRemark,
): void {
  const [oldEnum, nextEnum] = [enumLocation(old), enumLocation(next)]
  const isAnnounced = use.kind === 'response' && old.isExtensible
  if (use.kind === 'response' && next.isOpenEnum && !old.isExtensible)
    addRemark(
      'response-enum-value-added',
      (name) => `${name()} may now have other values than those of its enum.`,
      nextEnum,
    )
  const removedCode = codeOf(use, 'enum-value-removed')
  for (const value of oldValues)
    if (!nextValues.has(value))
      addRemark(removedCode, (name) => `${name()} may no longer be ${value}.`, nextEnum, oldEnum)
  const addedCode = isAnnounced ? 'response-field-loosened' : codeOf(use, 'enum-value-added')
  for (const value of nextValues)
    if (!oldValues.has(value)) addRemark(addedCode, (name) => `${name()} may be ${value}.`, nextEnum)
}

function enumLocation(shape: Shape): Location | undefined {
  return keywordLocation(shape, shape.isOpenEnum ? 'x-extensible-enum' : 'enum')
}

function valueList(values: ReadonlySet<string>): string {
  return [...values].join(', ')
}

/** Formats that include all values of another. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' }

/** A reader parses a value by its format; a writer must follow it. */
function compareFormat({ old, next }: Pair, use: Use, addRemark: AddRemark): void {
  if (old.format === next.format || (isLong(old) && isLong(next))) return
  const message: RemarkMessage = (name) =>
    `${name()} changed from ${formatText(old.format)} to ${formatText(next.format)}.`
  const locations = [keywordLocation(next, 'format'), keywordLocation(old, 'format')] as const
  const isWider = next.format === undefined || (old.format !== undefined && widerFormats[old.format] === next.format)
  const isNarrower = old.format === undefined || (next.format !== undefined && widerFormats[next.format] === old.format)
  if (use.kind === 'response')
    addRemark(isNarrower ? 'response-field-narrowed' : 'response-field-retyped', message, ...locations)
  else if (isWider) addRemark(codeOf(use, 'loosened'), message, ...locations)
  else addRemark(codeOf(use, isNarrower ? 'tightened' : 'retyped'), message, ...locations)
}

/** Integers that need 64 bits: by the format, or by limits that only this format has room for. */
function isLong({ types, format, limits }: Shape): boolean {
  if (types?.size !== 1 || !types.has('integer')) return false
  const [minimum, maximum] = [limits.get('minimum')?.value, limits.get('maximum')?.value]
  if (format !== undefined || minimum === undefined || maximum === undefined) return format === 'int64'
  return minimum >= -(2 ** 63) && maximum < 2 ** 63 && (minimum < -(2 ** 31) || maximum >= 2 ** 31)
}

function formatText(format: string | undefined): string {
  return format === undefined ? 'no format' : `the format ${format}`
}

function compareLimits({ old, next }: Pair, use: Use, addRemark: AddRemark): void {
  for (const keyword of new Set([...old.limits.keys(), ...next.limits.keys()])) {
    const [oldLimit, nextLimit] = [old.limits.get(keyword), next.limits.get(keyword)]
    const isLowered = isTighter(keyword, nextLimit, oldLimit)
    if (!isLowered && !isTighter(keyword, oldLimit, nextLimit)) continue
    const isPageSize = isPageSizeOf(use) && keyword === 'maximum'
    const code = isPageSize
      ? isLowered
        ? 'max-page-size-lowered'
        : 'max-page-size-raised'
      : codeOf(use, isLowered ? 'tightened' : 'loosened')
    const message: RemarkMessage = (name) =>
      `${keyword} of ${name()} changed from ${limitText(oldLimit)} to ${limitText(nextLimit)}.`
    addRemark(code, message, keywordLocation(next, keyword), keywordLocation(old, keyword))
  }
}

/** A default matters if a value may be missing: in a parameter, and in the body of a create. */
function compareDefault({ old, next, mayBeOmitted }: Pair, use: Use, addRemark: AddRemark): void {
  const [oldDefault, nextDefault] = [old.default, next.default].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  )
  if (oldDefault === nextDefault || use.kind === 'response' || !mayBeOmitted) return
  const message: RemarkMessage = (name) =>
    `The default of ${name()} changed from ${oldDefault ?? 'none'} to ${nextDefault ?? 'none'}.`
  const locations = [keywordLocation(next, 'default'), keywordLocation(old, 'default')] as const
  if (use.kind === 'parameter')
    addRemark(isPageSizeOf(use) ? 'default-page-size-changed' : 'parameter-default-changed', message, ...locations)
  else addRemark(oldDefault === undefined ? 'request-default-added' : 'request-default-changed', message, ...locations)
}

/** Compares the transitions between values that both enums have. */
function compareTransitions({ old, next }: Pair, addRemark: AddRemark): void {
  if (!old.transitions && !next.transitions) return
  const values = [...(old.values ?? [])].filter((value) => next.values?.has(value)).map((text) => JSON.parse(text))
  for (const from of values)
    for (const to of values.filter((value) => value !== from)) {
      const [wasAllowed, isAllowed] = [isAllowedTransition(old, from, to), isAllowedTransition(next, from, to)]
      if (wasAllowed === isAllowed) continue
      const locations = [
        keywordLocation(next, 'x-nomen-transitions'),
        keywordLocation(old, 'x-nomen-transitions'),
      ] as const
      if (isAllowed)
        addRemark('transition-added', (name) => `${name()} may change from ${from} to ${to}.`, ...locations)
      else
        addRemark('transition-removed', (name) => `${name()} may no longer change from ${from} to ${to}.`, ...locations)
    }
}

function isAllowedTransition({ transitions }: Shape, from: unknown, to: unknown): boolean {
  const nextValues = transitions?.[`${from}`]
  return transitions === undefined || (Array.isArray(nextValues) && nextValues.includes(to))
}

function isPageSizeOf(use: Use): boolean {
  return use.kind === 'parameter' && use.name === 'pageSize'
}
