/** What a reference may point at: fetched with a call of its own, the present value kept by `include`. */
import { useQueries } from '@tanstack/react-query'
import { labelFields, labelOf } from '../model/record/label.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf } from '../model/service/service.ts'
import { useConsole } from '../wire/console-context.ts'
import { recordQuery, useList } from '../wire/data.ts'

export interface Option {
  readonly value: string
  readonly label: string
}

export interface OptionsAsk {
  readonly target: Collection
  /** Identities of the records above the list, where it stands below some. */
  readonly ids?: readonly unknown[]
  readonly search: string
  /** Values that must be among the options, whatever the filters of the list say. */
  readonly kept: readonly string[]
  /** Filters that are set from the start. */
  readonly fixed?: { readonly [name: string]: string }
  readonly isEnabled?: boolean
}

export interface Options {
  readonly options: readonly Option[]
  /** There are more than are shown. */
  readonly hasMore: boolean
  /** The service looks for the text; else the page does, in what it has. */
  readonly isSearched: boolean
  readonly isLoading: boolean
  readonly error: unknown
  readonly records: readonly Json[]
}

const mostOptions = 100

export function useOptions({ target, ids = [], search, kept, fixed = {}, isEnabled = true }: OptionsAsk): Options {
  const { service, wire } = useConsole()
  const names = labelFields(service, target)
  const shows = (columns: readonly { readonly name: string }[]) =>
    names.every((name) => columns.some((column) => column.name === name))
  const variant = target.variants.find(({ columns }) => shows(columns)) ?? target.variants[0]
  const query = new URLSearchParams(fixed)
  const isSearched = variant?.hasSearch === true
  if (variant?.pageSize) query.set('pageSize', `${Math.min(mostOptions, variant.pageSize.maximum)}`)
  if (isSearched && search.trim() !== '') query.set('search', search.trim())
  if (variant?.hasInclude) for (const one of kept) query.append('include', one)
  const isAsked = isEnabled && variant !== undefined
  const list = useList({ collection: target, variant: variant as NonNullable<typeof variant>, ids, query }, isAsked)
  const listed = list.data?.records ?? []
  // An included record keeps its natural page, which need not be the first one.
  const missing = kept.filter((one) => !listed.some((record) => `${idOf(target, record)}` === one))
  const single = useQueries({
    queries: missing.map((one) => ({
      ...recordQuery(wire, target, [...ids, one]),
      enabled: list.isSuccess && target.operations.read !== undefined,
    })),
  })
  const found = single.flatMap(({ data }) => (data ? [data.record] : []))
  const records = [...found, ...listed]
  const named = records.map((record) => ({
    value: `${idOf(target, record)}`,
    label: labelOf(service, target, record),
  }))
  const unnamed = missing.filter((one) => !named.some(({ value }) => value === one))
  const pages = list.data?.pageInfo?.numberOfPages ?? 1
  return {
    options: [...named, ...unnamed.map((value) => ({ value, label: `${target.title} ${value}` }))],
    hasMore: pages > 1,
    isSearched,
    isLoading: list.isFetching,
    error: list.error,
    records,
  }
}
