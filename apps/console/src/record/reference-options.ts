/** The options of a reference, loaded with one request that keeps the current value by `include`. */
import { useQueries } from '@tanstack/react-query'
import { labelFields, labelOf, plainTitle } from '../model/record/label.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf } from '../model/service/service.ts'
import { useConsole } from '../wire/console-context.ts'
import { recordQuery, useList } from '../wire/data.ts'

export interface Option {
  readonly value: string
  readonly label: string
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
  readonly isEnabled?: boolean
}

export interface Options {
  readonly options: readonly Option[]
  /** There are more than are shown. */
  readonly hasMore: boolean
  /** The service searches; otherwise the page filters the loaded options. */
  readonly isSearched: boolean
  readonly isLoading: boolean
  readonly error: unknown
  readonly records: readonly Json[]
}

const mostOptions = 100

export function useOptions({
  target,
  ids = [],
  search,
  selected,
  fixed = {},
  isEnabled = true,
}: OptionsRequest): Options {
  const { service, wire } = useConsole()
  const names = labelFields(service, target)
  const shows = (columns: readonly { readonly name: string }[]) =>
    names.every((name) => columns.some((column) => column.name === name))
  const variant = target.variants.find(({ columns }) => shows(columns)) ?? target.variants[0]
  const query = new URLSearchParams(fixed)
  const isSearched = variant?.hasSearch === true
  if (variant?.pageSize) query.set('pageSize', `${Math.min(mostOptions, variant.pageSize.maximum)}`)
  if (isSearched && search.trim() !== '') query.set('search', search.trim())
  if (variant?.hasInclude) for (const id of selected) query.append('include', id)
  const hasList = isEnabled && variant !== undefined
  const list = useList({ collection: target, variant: variant as NonNullable<typeof variant>, ids, query }, hasList)
  const listed = list.data?.records ?? []
  // `include` keeps a record on its own page, which may not be the first one.
  const missing = selected.filter((id) => !listed.some((record) => `${idOf(target, record)}` === id))
  const single = useQueries({
    queries: missing.map((id) => ({
      ...recordQuery(wire, target, [...ids, id]),
      enabled: list.isSuccess && target.operations.read !== undefined,
    })),
  })
  const read = single.flatMap(({ data }) => (data ? [data.record] : []))
  const records = [...read, ...listed]
  const named = records.map((record) => ({
    value: `${idOf(target, record)}`,
    label: labelOf(service, target, record),
  }))
  const unnamed = missing.filter((id) => !named.some(({ value }) => value === id))
  const pages = list.data?.pageInfo?.numberOfPages ?? 1
  return {
    options: [...named, ...unnamed.map((value) => ({ value, label: plainTitle(target, value) }))],
    hasMore: pages > 1,
    isSearched,
    isLoading: list.isFetching,
    error: list.error,
    records,
  }
}
