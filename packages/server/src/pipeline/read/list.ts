/** Reads the query of a list: pages, order, filters, search and include. */
import {
  type CustomParameter,
  type FieldError,
  type FieldSpec,
  isStorable,
  type ListParameter,
  nearest,
  type Operation,
  type RangeParameter,
  readBound,
  readText,
  type SearchParameter,
  type Value,
} from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import { quoted } from '../../foundation/quoted.ts'
import type { Condition, Order } from '../../store/plan.ts'
import type { ListAsk } from './ask.ts'
import { givenOnce, invalidParameter, refuseUnknown } from './parameter-problem.ts'
import { parseQuery } from './query-string.ts'
import { readStrictly } from './strict.ts'

type Given = ReadonlyMap<string, readonly string[]>
type Read = { -readonly [K in keyof ListAsk]: ListAsk[K] } & {
  conditions: Condition[]
  include: Value[]
  order: Order[]
}

/** How many queries of a list are known by heart, and how long one may be. */
const mostKnown = 200
const longestKnown = 200

/** Specialises the reading of one list at start; what it gives back is run for every request. */
export function listReader(operation: Operation): (query: string) => ListAsk {
  const read = givenReader(operation)
  // The same pages are asked for over and over, and one text says the same every time.
  const known = new LruCache<ListAsk>(mostKnown)
  return (query) =>
    query.length > longestKnown ? read(parseQuery(query)) : known.get(query, () => read(parseQuery(query)))
}

function givenReader({ list, path }: Operation): (given: Given) => ListAsk {
  const parameters = list?.parameters ?? []
  const names = new Set(parameters.map(({ name }) => name))
  const size = parameters.find((parameter) => parameter.kind === 'pageSize')
  const usual: ListAsk = {
    conditions: parameters.flatMap((parameter) => defaultCondition(parameter) ?? []),
    include: [],
    order: [],
    ...(size && { page: { pageNumber: 1, pageSize: size.default } }),
  }
  const readable = parameters.map((parameter) => ({ parameter, usually: defaultCondition(parameter) }))
  return (given) => {
    if (given.size === 0) return usual
    refuseUnknown(given, names, path)
    const errors: FieldError[] = []
    const read: Read = { conditions: [], include: [], order: [], ...(usual.page && { page: usual.page }) }
    for (const { parameter, usually } of readable) {
      const texts = given.get(parameter.name)
      if (!texts) {
        if (usually) read.conditions.push(usually)
        continue
      }
      const fault = readParameter(parameter, texts, read)
      if (fault !== undefined) errors.push({ parameter: parameter.name, detail: fault })
    }
    if (errors.length > 0) throw invalidParameter(errors)
    return read
  }
}

/** Refuses any parameter: for operations that take none. */
export function refuseParameters(given: Given, path: string): void {
  refuseUnknown(given, new Set(), path)
}

function defaultCondition(parameter: ListParameter): Condition | undefined {
  if (parameter.kind !== 'equal' || !parameter.default) return undefined
  return { kind: 'equal', fields: parameter.fields, values: parameter.default }
}

/** Adds what a parameter says to the ask; gives what is wrong with it, as the end of a sentence. */
function readParameter(parameter: ListParameter, texts: readonly string[], read: Read): string | undefined {
  if ('maxValues' in parameter && texts.length > parameter.maxValues)
    return `is given ${texts.length} times: give it at most ${parameter.maxValues} times`
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
    case 'equal':
      return readValues(parameter.spec, texts, (values) => {
        read.conditions.push({ kind: 'equal', fields: parameter.fields, values })
      })
    case 'range':
      return readRange(parameter, texts, read)
    case 'custom':
      return readCustom(parameter, texts, read)
  }
}

function readSearch({ fields, maxLength }: SearchParameter, texts: readonly string[], read: Read): string | undefined {
  if (!texts.every(isStorable)) return 'must hold neither U+0000 nor half of a surrogate pair'
  const long = texts.find((text) => text.length > maxLength && [...text].length > maxLength)
  if (long !== undefined) return `must have at most ${maxLength} characters, not ${[...long].length}`
  read.conditions.push({ kind: 'search', fields, texts: [...new Set(texts)] })
  return undefined
}

function readCustom(parameter: CustomParameter, texts: readonly string[], read: Read): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return givenOnce(texts)
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

function readPage(name: string, maximum: number, texts: readonly string[], read: Read): string | undefined {
  const [text = ''] = texts
  if (texts.length > 1) return givenOnce(texts)
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number < 1) return `must be an integer from 1, not ${quoted(text)}`
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

/** Both bounds of one range make one condition: a single value must lie between them. */
function readRange(parameter: RangeParameter, texts: readonly string[], read: Read): string | undefined {
  const { fields, bound, spec } = parameter
  const [text = ''] = texts
  if (texts.length > 1) return givenOnce(texts)
  const reading = readBound(spec, text)
  if ('fault' in reading) return `${reading.fault}, not ${quoted(text)}`
  const index = read.conditions.findIndex((condition) => condition.kind === 'range' && condition.fields === fields)
  const condition = { kind: 'range' as const, fields, [bound]: reading.value }
  if (index === -1) read.conditions.push(condition)
  else read.conditions[index] = { ...read.conditions[index], ...condition }
  return undefined
}
