/** The shown columns of a list, their order, their widths and the pinned ones: those of the URL, or else those that the browser keeps. */
import { useMemo, useState } from 'react'
import { allColumns, cheapestVariant, initialNames } from '../../model/list/columns.ts'
import { columnNames, withColumns } from '../../model/list/query.ts'
import type { Field } from '../../model/record/field.ts'
import type { Collection, Variant } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import { readPreference, writePreference } from '../../state/preference.ts'

interface ColumnPreference {
  /** The shown columns in their order; undefined for those of the list. */
  readonly names?: readonly string[]
  readonly widths?: { readonly [name: string]: number }
  /** The columns that stay visible at the left; undefined for the first one. */
  readonly pinned?: readonly string[]
}

export interface Columns {
  /** All columns of the list; the shown ones first, in their order. */
  readonly all: readonly Field[]
  readonly names: readonly string[]
  readonly widths: { readonly [name: string]: number }
  /** They come first. Undefined if the user has pinned none: then it is the first column. */
  readonly pinned: readonly string[] | undefined
  /** The URL or the browser names the columns; otherwise they are those of the variant. */
  readonly isNamed: boolean
  readonly isChanged: boolean
  /** The variant that has the shown columns. */
  readonly variant: Variant
  set(names: readonly string[]): void
  setWidth(name: string, width: number | undefined): void
  togglePin(name: string): void
  reset(): void
}

const noWidths: { readonly [name: string]: number } = {}

interface ColumnsOptions {
  readonly collection: Collection
  /** The variant of the URL. */
  readonly variant: Variant
  readonly query: URLSearchParams
  /** The URL is that of a saved view, whose columns do not become those of the list. */
  readonly isView: boolean
  onQuery(query: URLSearchParams): void
}

export function useColumns({ collection, variant, query, isView, onQuery }: ColumnsOptions): Columns {
  const { service } = useConsole()
  const key = `table ${collection.api.base}${collection.path}`
  const [state, setState] = useState(() => ({ key, kept: readPreference<ColumnPreference>(key, {}) }))
  const preference = state.key === key ? state.kept : readPreference<ColumnPreference>(key, {})
  const change = (next: ColumnPreference) => {
    writePreference(key, Object.keys(next).length === 0 ? undefined : next)
    setState({ key, kept: next })
  }
  const every = useMemo(() => allColumns(service, collection), [service, collection])
  const named = columnNames(query)?.join(' ') ?? preference.names?.join(' ')
  const selectedNames = useMemo(
    () => named?.split(' ').filter((name) => every.some((field) => field.name === name)) ?? [],
    [named, every],
  )
  const { pinned } = preference
  const names = useMemo(() => {
    const ordered = selectedNames.length > 0 ? selectedNames : initialNames(service, collection, variant)
    return pinned ? withPinnedFirst(ordered, pinned) : ordered
  }, [selectedNames, service, collection, variant, pinned])
  const all = useMemo(() => {
    const position = ({ name }: Field) => names.indexOf(name) + 1 || every.length + 1
    return every.toSorted((a, b) => position(a) - position(b))
  }, [every, names])
  const isComplete = names.every((name) => variant.columns.some((column) => column.name === name))
  const widths = preference.widths ?? noWidths
  return {
    all,
    names,
    widths,
    pinned,
    isNamed: selectedNames.length > 0,
    isChanged: selectedNames.length > 0 || preference.widths !== undefined || pinned !== undefined,
    variant: isComplete ? variant : (cheapestVariant(collection, names) ?? variant),
    set: (next) => {
      if (!isView) change({ ...preference, names: next })
      onQuery(withColumns(query, next))
    },
    setWidth: (name, width) => {
      const { [name]: _, ...others } = widths
      change({ ...preference, widths: width === undefined ? others : { ...others, [name]: width } })
    },
    togglePin: (name) => {
      const before = pinned ?? names.slice(0, 1)
      change({
        ...preference,
        pinned: before.includes(name) ? before.filter((other) => other !== name) : [...before, name],
      })
    },
    reset: () => {
      change({})
      onQuery(withColumns(query, undefined))
    },
  }
}

function withPinnedFirst(names: readonly string[], pinned: readonly string[]): readonly string[] {
  const isPinned = (name: string) => pinned.includes(name)
  return [...names.filter(isPinned), ...names.filter((name) => !isPinned(name))]
}
