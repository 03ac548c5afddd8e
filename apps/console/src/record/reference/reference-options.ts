/** The options of a reference, loaded with one request that keeps the current value by `include`. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { recordQuery, useList } from '../../http/queries.ts'
import { useReferenceColumns } from '../../list/column/reference-columns.ts'
import type { Field } from '../../model/record/field.ts'
import { labelFields, labelOf, plainTitle } from '../../model/record/label.ts'
import { detailFields, detailText } from '../../model/record/option-detail.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, type Variant } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import { searchOptions } from './option-search.ts'

export interface Option {
  readonly value: string
  readonly label: string
  /** Tells records with the same label apart. */
  readonly detail?: string
}

export interface OptionsRequest {
  readonly target: Collection
  /** The IDs in the path of the list. */
  readonly ids?: readonly unknown[]
  readonly search: string
  /** Values that must be among the options, despite the filters of the list. */
  readonly selected: readonly string[]
  /** Fixed filters of the list. */
  readonly fixed?: { readonly [name: string]: string }
  /** The number of options to load (default: 100). */
  readonly limit?: number
  readonly isEnabled?: boolean
  /** Only records of the first page, or those that the service finds: nothing is read further. */
  readonly isShort?: boolean
}

export interface Options {
  readonly options: readonly Option[]
  /** The number of records in the list. */
  readonly total: number
  readonly isLoading: boolean
  /** The service searches; otherwise the page filters the loaded options. */
  readonly isSearched: boolean
  /** Options that were found in other ways, whatever their label. */
  readonly found: ReadonlySet<string>
}

/** The number of options that are loaded at first, and then each time. */
export const optionStep = 100

const noParameters: { readonly [name: string]: string } = {}

export function useOptions({
  target,
  ids = [],
  search: typed,
  selected,
  fixed = noParameters,
  limit = optionStep,
  isEnabled = true,
  isShort = false,
}: OptionsRequest): Options {
  const { service, http } = useConsole()
  const search = typed.trim()
  const names = labelFields(service, target)
  const shows = (columns: readonly { readonly name: string }[]) =>
    names.every((name) => columns.some((column) => column.name === name))
  const variant = (target.variants.find(({ columns }) => shows(columns)) ?? target.variants[0]) as Variant
  const query = new URLSearchParams(fixed)
  if (variant?.pageSize) query.set('pageSize', `${Math.min(limit, variant.pageSize.maximum)}`)
  if (variant?.hasSearch && search !== '') query.set('search', search)
  if (variant?.hasInclude) for (const id of selected) query.append('include', id)
  const list = useList({ collection: target, variant, ids, query }, isEnabled && variant !== undefined)
  const isComplete = (list.data?.pageInfo?.numberOfPages ?? 1) <= 1
  // Without search, records that are not loaded yet are found in other ways.
  const searchResult = useQuery({
    queryKey: [target.noun, 'list', 'option', target.api.base, target.key, ids, fixed, search],
    queryFn: ({ signal }) => searchOptions(http, service, { target, variant, ids, fixed, search }, signal),
    enabled: isEnabled && !isShort && search !== '' && variant?.hasSearch === false && list.isSuccess && !isComplete,
    placeholderData: keepPreviousData,
  })
  const foundRecords = search === '' ? [] : (searchResult.data ?? [])
  const listedRecords = list.data?.records ?? []
  // `include` keeps a record on its own page, which may not be the first one.
  const missing = selected.filter(
    (id) => ![...listedRecords, ...foundRecords].some((record) => `${idOf(target, record)}` === id),
  )
  const single = useQueries({
    queries: missing.map((id) => ({
      ...recordQuery(http, target, [...ids, id]),
      enabled: list.isSuccess && target.operations.read !== undefined,
    })),
  })
  const readRecords = single.flatMap(({ data }) => (data ? [data.record] : []))
  const columns = detailFields(service, target)
  // A list can have the label of a reference in place of its ID.
  const labelled = columns.filter(({ name }) =>
    variant.columns.some((column) => column.name === name && column.labelFields !== undefined),
  )
  const listed = [...listedRecords, ...foundRecords]
  const withIds = [...readRecords, ...listed.map((record) => without(record, labelled))]
  const references = useReferenceColumns(target.api, columns, isEnabled ? withIds : [])
  const optionOf = (record: Json, labels: readonly Field[]): Option => {
    const nameOf = (name: string, value: unknown) =>
      labels.some((field) => field.name === name) ? `${value}` : references.get(name)?.labels.get(`${value}`)
    const detail = detailText(target, columns, record, nameOf)
    return { value: `${idOf(target, record)}`, label: labelOf(service, target, record), detail }
  }
  const namedOptions = [
    ...readRecords.map((record) => optionOf(record, [])),
    ...listed.map((record) => optionOf(record, labelled)),
  ]
  const unnamed = missing.filter((id) => !namedOptions.some(({ value }) => value === id))
  return {
    options: [...namedOptions, ...unnamed.map((value) => ({ value, label: plainTitle(target, value) }))],
    total: list.data?.pageInfo?.numberOfRecords ?? listedRecords.length,
    isLoading: list.isFetching || searchResult.isFetching,
    isSearched: variant.hasSearch,
    found: new Set(foundRecords.map((record) => `${idOf(target, record)}`)),
  }
}

function without(record: Json, fields: readonly Field[]): Json {
  const isLeftOut = (name: string) => fields.some((field) => field.name === name)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isLeftOut(name)))
}
