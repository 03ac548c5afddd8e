/** The history in a service: the collections of its entries. */
import type { Field } from '../record/field.ts'
import { type Collection, rootsOf, type Service, type Variant } from '../service/service.ts'

/** The properties that distinguish entries of the history from another noun with this name. */
const entryProperties = ['time', 'noun', 'record', 'kind', 'before', 'after']

/** Whether the records of a collection are entries of the history. */
export function isHistory({ noun, fields }: Collection): boolean {
  return noun === 'change' && entryProperties.every((name) => fields.some((field) => field.name === name))
}

export interface EntryList {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
}

/** The list of one record's entries, newest first; it also has those of a deleted record if the service lists all entries. */
export function entriesOfRecord(
  service: Service,
  { api, noun, children }: Collection,
  ids: readonly unknown[],
  pageSize: number,
): EntryList | undefined {
  const recordIds = ids.map(String)
  const roots = [api, ...service.apis].flatMap(rootsOf)
  const candidates = [
    ...roots.map((collection) => ({ collection, ids: [] as readonly string[] })),
    ...children.map((collection) => ({ collection, ids: recordIds })),
  ]
  const list = candidates.find(({ collection }) => isHistory(collection) && canFilterByRecord(collection))
  const variant = list?.collection.variants[0]
  const query = new URLSearchParams({ record: `${noun}/${recordIds.at(-1)}`, pageSize: `${pageSize}` })
  return list && variant && { ...list, variant, query }
}

function canFilterByRecord({ variants }: Collection): boolean {
  return variants[0]?.filters.some(({ exact }) => exact === 'record') === true
}

/** Whether the service can read a record as it was at a time. */
export function canReadPast({ operations }: Collection): boolean {
  return operations.read?.parameters.some(({ name, in: location }) => name === 'at' && location === 'query') === true
}

/** The columns of a list of entries in the order of a sentence: when, who, what. */
export function entryColumns(columns: readonly Field[]): readonly Field[] {
  const leadingColumns = ['id', 'time', 'user', 'application', 'kind', 'record', 'linked', 'fields']
  const position = ({ name }: Field) => leadingColumns.indexOf(name) + 1 || leadingColumns.length + 1
  return columns.toSorted((a, b) => position(a) - position(b))
}
