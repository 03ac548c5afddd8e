/** Reads the values of one list parameter into the query. */
import {
  type AnyNoun,
  type CustomParameter,
  type FieldSpec,
  isStorable,
  type ListParameter,
  nearest,
  type RangeParameter,
  type RecordedParameter,
  readBound,
  readText,
  type SearchParameter,
  type Value,
} from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { Condition, Order } from '../../store/plan.ts'
import { repeatedDetail } from './parameter-problem.ts'
import type { ListQuery } from './parsed-request.ts'
import { readStrictly } from './read-strictly.ts'

/** The query that the parameters are added to, one after the other. */
export type PartialListQuery = { -readonly [K in keyof ListQuery]: ListQuery[K] } & {
  conditions: Condition[]
  include: Value[]
  order: Order[]
}

/**
 * Adds the values of a parameter to the list query. Returns the fault as the predicate of a sentence, if there is one.
 * `changedNoun` is the noun whose changes are listed.
 */
export function readParameter(
  parameter: ListParameter,
  texts: readonly string[],
  listQuery: PartialListQuery,
  changedNoun: AnyNoun | undefined,
): string | undefined {
  if ('maxValues' in parameter && texts.length > parameter.maxValues)
    return `was sent ${texts.length} times. Send it at most ${parameter.maxValues} times`
  switch (parameter.kind) {
    case 'pageNumber':
      return readPage(parameter.name, Number.MAX_SAFE_INTEGER, texts, listQuery)
    case 'pageSize':
      return readPage(parameter.name, parameter.maximum, texts, listQuery)
    case 'sort':
      return readSort(parameter, texts, listQuery)
    case 'include':
      return readValues(parameter.spec, texts, (values) => {
        listQuery.include = values
      })
    case 'search':
      return readSearch(parameter, texts, listQuery)
    case 'changed-field':
      listQuery.conditions.push({ kind: parameter.kind, fields: parameter.fields, names: [...new Set(texts)] })
      return texts.every(isStorable) ? undefined : 'must not contain U+0000 or an unpaired surrogate'
    case 'after-id':
      return readNumber(texts, Number.MAX_SAFE_INTEGER, (id) => {
        listQuery.afterId = id
      })
    case 'wait':
      return readNumber(texts, parameter.maximum, (seconds) => {
        listQuery.waitSeconds = seconds
        listQuery.afterId ??= 'latest'
      })
    case 'equal':
      return readValues(parameter.spec, texts, (values) => {
        listQuery.conditions.push({ kind: 'equal', fields: parameter.fields, values })
      })
    case 'recorded':
      // Only lists of the changes of a noun have this parameter.
      return readRecorded(parameter, texts, changedNoun as AnyNoun, listQuery)
    case 'range':
      return readRange(parameter, texts, listQuery)
    case 'custom':
      return readCustom(parameter, texts, listQuery)
  }
}

function readSearch(
  { fields, maxLength }: SearchParameter,
  texts: readonly string[],
  listQuery: PartialListQuery,
): string | undefined {
  if (!texts.every(isStorable)) return 'must not contain U+0000 or an unpaired surrogate'
  const longText = texts.find((text) => text.length > maxLength && [...text].length > maxLength)
  if (longText !== undefined) return `must have at most ${maxLength} characters, not ${[...longText].length}`
  listQuery.conditions.push({ kind: 'search', fields, terms: [...new Set(texts)] })
  return undefined
}

function readCustom(
  parameter: CustomParameter,
  texts: readonly string[],
  listQuery: PartialListQuery,
): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const result = readStrictly(parameter.spec, text)
  if ('fault' in result) return `${result.fault}, not ${quoted(text)}`
  listQuery.custom = [...(listQuery.custom ?? []), { parameter, value: result.value }]
  return undefined
}

function readValues(spec: FieldSpec, texts: readonly string[], use: (values: Value[]) => void): string | undefined {
  const values: Value[] = []
  for (const text of texts) {
    const result = readText(spec, text)
    if ('fault' in result) return `${result.fault}, not ${quoted(text)}`
    values.push(result.value)
  }
  use(values)
  return undefined
}

function readNumber(texts: readonly string[], maximum: number, use: (value: number) => void): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) return `must be an integer from 0, not ${quoted(text)}`
  if (value > maximum) return `must be at most ${maximum}, not ${quoted(text)}`
  use(value)
  return undefined
}

function readPage(
  name: string,
  maximum: number,
  texts: readonly string[],
  listQuery: PartialListQuery,
): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number < 1) return `must be a positive integer, not ${quoted(text)}`
  if (number > maximum) return `must be at most ${maximum}, not ${quoted(text)}`
  if (listQuery.page) listQuery.page = { ...listQuery.page, [name]: number }
  return undefined
}

function readSort(
  { fields }: ListParameter & { kind: 'sort' },
  texts: readonly string[],
  listQuery: PartialListQuery,
): string | undefined {
  for (const text of texts) {
    const isDescending = text.startsWith('-')
    const name = isDescending ? text.slice(1) : text
    const field = fields.get(name)
    if (field === undefined) {
      const suggestion = nearest(name, fields.keys())
      return `must be the name of a property, not ${quoted(text)}${suggestion ? `. Did you mean "${isDescending ? '-' : ''}${suggestion}"?` : ''}`
    }
    if (!listQuery.order.some((key) => key.field === field)) listQuery.order.push({ field, isDescending })
  }
  return undefined
}

/** All filters by fields of the record become one condition, because one state must satisfy all of them. */
function readRecorded(
  { spec, field }: RecordedParameter,
  texts: readonly string[],
  noun: AnyNoun,
  listQuery: PartialListQuery,
): string | undefined {
  return readValues(spec, texts, (values) => {
    const index = listQuery.conditions.findIndex(({ kind }) => kind === 'before-or-after')
    const existing = listQuery.conditions[index]
    const condition = { kind: 'equal', fields: [field], values } as const
    const conditions = existing?.kind === 'before-or-after' ? [...existing.conditions, condition] : [condition]
    listQuery.conditions[index === -1 ? listQuery.conditions.length : index] = {
      kind: 'before-or-after',
      fields: ['record'],
      noun,
      conditions,
    }
  })
}

/** Both bounds of a range become one condition, so that one value must be between them. */
function readRange(
  parameter: RangeParameter,
  texts: readonly string[],
  listQuery: PartialListQuery,
): string | undefined {
  const { fields, bound, spec } = parameter
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const result = readBound(spec, text)
  if ('fault' in result) return `${result.fault}, not ${quoted(text)}`
  const index = listQuery.conditions.findIndex((condition) => condition.kind === 'range' && condition.fields === fields)
  const condition = { kind: 'range' as const, fields, [bound]: result.value }
  if (index === -1) listQuery.conditions.push(condition)
  else listQuery.conditions[index] = { ...listQuery.conditions[index], ...condition }
  return undefined
}
