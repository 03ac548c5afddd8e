/** Reads the query of a list: pages, order, filters, search and include. */
import {
  type AnyNoun,
  type CustomParameter,
  type EqualParameter,
  type FieldError,
  type FieldSpec,
  isStorable,
  type ListParameter,
  nearest,
  type Operation,
  type RangeParameter,
  type RecordedParameter,
  readBound,
  readText,
  type SearchParameter,
  type Value,
} from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import { cut, quoted } from '../../foundation/quoted.ts'
import type { Condition, Order } from '../../store/plan.ts'
import { invalidParameter, refuseUnknown, repeatedDetail } from './parameter-problem.ts'
import type { ListQuery } from './parsed-request.ts'
import { parseQuery } from './query-string.ts'
import { readStrictly } from './strict.ts'

type Query = ReadonlyMap<string, readonly string[]>
type Read = { -readonly [K in keyof ListQuery]: ListQuery[K] } & {
  conditions: Condition[]
  include: Value[]
  order: Order[]
}

/** The number of queries that are cached for each list, and the maximum length of a cached query. */
const maxCached = 200
const maxCachedLength = 200

/** Specialises the query reader of one list at start. */
export function listReader(operation: Operation): (query: string) => ListQuery {
  const read = queryReader(operation)
  // Clients request the same pages again and again, so parsed queries are cached.
  const cache = new LruCache<ListQuery>(maxCached)
  return (query) =>
    query.length > maxCachedLength ? read(parseQuery(query)) : cache.get(query, () => read(parseQuery(query)))
}

function queryReader({ list, path, changesOf }: Operation): (query: Query) => ListQuery {
  const parameters = list?.parameters ?? []
  const names = new Set(parameters.map(({ name }) => name))
  const size = parameters.find((parameter) => parameter.kind === 'pageSize')
  const defaults: ListQuery = {
    conditions: parameters.flatMap((parameter) => defaultCondition(parameter) ?? []),
    include: [],
    order: [],
    ...(size && { page: { pageNumber: 1, pageSize: size.default } }),
  }
  const withDefaults = parameters.map((parameter) => ({ parameter, condition: defaultCondition(parameter) }))
  return (query) => {
    if (query.size === 0) return defaults
    refuseUnknown(query, names, path)
    const errors: FieldError[] = []
    let hint: string | undefined
    const read: Read = { conditions: [], include: [], order: [], ...(defaults.page && { page: defaults.page }) }
    for (const { parameter, condition } of withDefaults) {
      const texts = query.get(parameter.name)
      if (!texts) {
        if (condition) read.conditions.push(condition)
        continue
      }
      const fault =
        parameter.kind === 'recorded' && changesOf
          ? readRecorded(parameter, texts, changesOf, read)
          : readParameter(parameter, texts, read)
      if (fault === undefined) continue
      errors.push({ parameter: parameter.name, detail: fault })
      hint ??= hintOf(parameter, texts, parameters)
    }
    if (read.afterId !== undefined) errors.push(...unfollowed(query))
    if (list?.isFollowed) errors.push(...unstoredKinds(query))
    if (errors.length > 0) throw invalidParameter(errors, hint)
    return read
  }
}

/** Changes are followed in their own order, from an ID on. */
function unfollowed(query: Query): readonly FieldError[] {
  return ['pageNumber', 'sort', 'include']
    .filter((name) => query.has(name))
    .map((parameter) => ({ parameter, detail: 'cannot be combined with afterId or wait' }))
}

/** These kinds are derived from CHANGED when entries are listed. */
function unstoredKinds(query: Query): readonly FieldError[] {
  const kind = query.get('kind')?.find((text) => text === 'ENTERED' || text === 'LEFT')
  if (kind === undefined) return []
  return [{ parameter: 'kind', detail: `cannot be ${kind}. Use CHANGED, which includes ENTERED and LEFT` }]
}

/** Rejects all parameters, for operations that have none. */
export function refuseParameters(query: Query, path: string): void {
  refuseUnknown(query, new Set(), path)
}

function defaultCondition(parameter: ListParameter): Condition | undefined {
  if (parameter.kind !== 'equal' || !parameter.default) return undefined
  return { kind: 'equal', fields: parameter.fields, values: parameter.default }
}

/** Adds the values of a parameter to the list query. Returns the fault as the predicate of a sentence, if there is one. */
function readParameter(parameter: ListParameter, texts: readonly string[], read: Read): string | undefined {
  if ('maxValues' in parameter && texts.length > parameter.maxValues) return tooOften(texts, parameter.maxValues)
  switch (parameter.kind) {
    case 'pageNumber':
      return readPage(parameter.name, Number.MAX_SAFE_INTEGER, texts, read)
    case 'pageSize':
      return readPage(parameter.name, parameter.maximum, texts, read)
    case 'sort':
      return readSort(parameter, texts, read)
    case 'include':
      return readValues(parameter.spec, texts, (values) => {
        read.include = values
      })
    case 'search':
      return readSearch(parameter, texts, read)
    case 'changed-field':
      read.conditions.push({ kind: parameter.kind, fields: parameter.fields, names: [...new Set(texts)] })
      return texts.every(isStorable) ? undefined : 'must not contain U+0000 or an unpaired surrogate'
    case 'after-id':
      return readNumber(texts, Number.MAX_SAFE_INTEGER, (id) => {
        read.afterId = id
      })
    case 'wait':
      return readNumber(texts, parameter.maximum, (seconds) => {
        read.wait = seconds
        read.afterId ??= 'latest'
      })
    case 'equal':
      return readValues(parameter.spec, texts, (values) => {
        read.conditions.push({ kind: 'equal', fields: parameter.fields, values })
      })
    case 'recorded':
      throw new Error('Only the changes of a noun can be filtered by the fields of their records.')
    case 'range':
      return readRange(parameter, texts, read)
    case 'custom':
      return readCustom(parameter, texts, read)
  }
}

function tooOften(texts: readonly string[], maxValues: number): string {
  return `was sent ${texts.length} times. Send it at most ${maxValues} times`
}

/** Parameters that are repeated for several values. */
const repeatable: readonly ListParameter['kind'][] = ['equal', 'recorded', 'include', 'sort']

/** Advice for a parameter with an invalid value. */
function hintOf(parameter: ListParameter, texts: readonly string[], all: readonly ListParameter[]): string | undefined {
  const { kind, name } = parameter
  const listed = texts.find((text) => text.includes(','))
  if (listed !== undefined && repeatable.includes(kind)) return repeatHint(name, listed.split(','))
  if (kind === 'equal') return wholeDayHint(parameter, texts, all)
  if (kind !== 'sort') return undefined
  const names = [...parameter.fields.keys()]
  return `Sort by ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, with "-" in front for descending order.`
}

const dayMs = 86_400_000

/** A date does not equal a timestamp. Its day is a range, if the list has one for the field. */
function wholeDayHint(
  { spec, fields: [field = ''] }: EqualParameter,
  texts: readonly string[],
  all: readonly ListParameter[],
): string | undefined {
  const day = texts.find(isDate)
  if (spec.kind !== 'timestamp' || day === undefined) return undefined
  const ranges = all.filter((parameter) => parameter.kind === 'range')
  const bounds = ranges.filter(({ fields }) => fields.includes(field))
  const [range] = bounds
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  const parameters = bounds
    .filter((bound) => bound.range === range?.range)
    .map(({ name, bound }) => ({ name, value: bound === 'from' ? day : next }))
    // The last day of the calendar has no next one.
    .filter(({ value }) => isDate(value))
  if (parameters.length === 0) return undefined
  return `For a whole day, use ${parameters.map(({ name, value }) => `${name}=${value}`).join('&')}.`
}

function isDate(text: string): boolean {
  return 'value' in readText({ kind: 'date' }, text)
}

/** The maximum number of values in a hint. */
const maxShown = 3

function repeatHint(name: string, values: readonly string[]): string {
  const examples = values
    .slice(0, maxShown)
    .map((value) => `${name}=${encodeURIComponent(cut(value.trim()).toWellFormed())}`)
  const more = values.length > maxShown ? '&…' : ''
  return `Repeat the parameter for several values: ${examples.join('&')}${more}`
}

function readSearch({ fields, maxLength }: SearchParameter, texts: readonly string[], read: Read): string | undefined {
  if (!texts.every(isStorable)) return 'must not contain U+0000 or an unpaired surrogate'
  const long = texts.find((text) => text.length > maxLength && [...text].length > maxLength)
  if (long !== undefined) return `must have at most ${maxLength} characters, not ${[...long].length}`
  read.conditions.push({ kind: 'search', fields, texts: [...new Set(texts)] })
  return undefined
}

function readCustom(parameter: CustomParameter, texts: readonly string[], read: Read): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const reading = readStrictly(parameter.spec, text)
  if ('fault' in reading) return `${reading.fault}, not ${quoted(text)}`
  read.custom = [...(read.custom ?? []), { parameter, value: reading.value }]
  return undefined
}

function readValues(spec: FieldSpec, texts: readonly string[], use: (values: Value[]) => void): string | undefined {
  const values: Value[] = []
  for (const text of texts) {
    const reading = readText(spec, text)
    if ('fault' in reading) return `${reading.fault}, not ${quoted(text)}`
    values.push(reading.value)
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

function readPage(name: string, maximum: number, texts: readonly string[], read: Read): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number < 1) return `must be a positive integer, not ${quoted(text)}`
  if (number > maximum) return `must be at most ${maximum}, not ${quoted(text)}`
  if (read.page) read.page = { ...read.page, [name]: number }
  return undefined
}

function readSort(
  { fields }: ListParameter & { kind: 'sort' },
  texts: readonly string[],
  read: Read,
): string | undefined {
  for (const text of texts) {
    const isDescending = text.startsWith('-')
    const name = isDescending ? text.slice(1) : text
    const field = fields.get(name)
    if (field === undefined) {
      const near = nearest(name, fields.keys())
      return `must name a property, not ${quoted(text)}${near ? `. Did you mean "${isDescending ? '-' : ''}${near}"?` : ''}`
    }
    if (!read.order.some((key) => key.field === field)) read.order.push({ field, isDescending })
  }
  return undefined
}

/** All filters by fields of the record become one condition, because one state must satisfy all of them. */
function readRecorded(
  { spec, field, maxValues }: RecordedParameter,
  texts: readonly string[],
  noun: AnyNoun,
  read: Read,
): string | undefined {
  if (texts.length > maxValues) return tooOften(texts, maxValues)
  return readValues(spec, texts, (values) => {
    const index = read.conditions.findIndex(({ kind }) => kind === 'state')
    const others = read.conditions[index]
    const condition = { kind: 'equal', fields: [field], values } as const
    const conditions = others?.kind === 'state' ? [...others.conditions, condition] : [condition]
    read.conditions[index === -1 ? read.conditions.length : index] = {
      kind: 'state',
      fields: ['record'],
      noun,
      conditions,
    }
  })
}

/** Both bounds of a range become one condition, so that one value must be between them. */
function readRange(parameter: RangeParameter, texts: readonly string[], read: Read): string | undefined {
  const { fields, bound, spec } = parameter
  const [text = ''] = texts
  if (texts.length > 1) return repeatedDetail(texts)
  const reading = readBound(spec, text)
  if ('fault' in reading) return `${reading.fault}, not ${quoted(text)}`
  const index = read.conditions.findIndex((condition) => condition.kind === 'range' && condition.fields === fields)
  const condition = { kind: 'range' as const, fields, [bound]: reading.value }
  if (index === -1) read.conditions.push(condition)
  else read.conditions[index] = { ...read.conditions[index], ...condition }
  return undefined
}
