/** The shown columns of a list, their order and their widths, kept in the browser for each list. */
import { useMemo, useState } from 'react'
import { allColumns, cheapestVariant, initialNames } from '../model/list/columns.ts'
import type { Field } from '../model/record/field.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { useConsole } from '../wire/console-context.ts'
import { readPreference, writePreference } from '../wire/preference.ts'

interface Kept {
  /** The shown columns in their order; undefined for those of the list. */
  readonly names?: readonly string[]
  readonly widths?: { readonly [name: string]: number }
}

export interface Columns {
  /** All columns of the list; the shown ones first, in their order. */
  readonly all: readonly Field[]
  readonly names: readonly string[]
  readonly widths: { readonly [name: string]: number }
  readonly isChanged: boolean
  /** The variant that has the shown columns. */
  readonly variant: Variant
  set(names: readonly string[]): void
  setWidth(name: string, width: number | undefined): void
  reset(): void
}

const noWidths: { readonly [name: string]: number } = {}

export function useColumns(collection: Collection, variant: Variant): Columns {
  const { service } = useConsole()
  const key = `table ${collection.api.base}${collection.path}`
  const [state, setState] = useState(() => ({ key, kept: readPreference<Kept>(key, {}) }))
  const kept = state.key === key ? state.kept : readPreference<Kept>(key, {})
  const change = (next: Kept) => {
    writePreference(key, Object.keys(next).length === 0 ? undefined : next)
    setState({ key, kept: next })
  }
  const every = useMemo(() => allColumns(service, collection), [service, collection])
  const names = useMemo(() => {
    const known = kept.names?.filter((name) => every.some((field) => field.name === name)) ?? []
    return known.length > 0 ? known : initialNames(service, collection, variant)
  }, [kept.names, every, service, collection, variant])
  const all = useMemo(() => {
    const position = ({ name }: Field) => names.indexOf(name) + 1 || every.length + 1
    return every.toSorted((a, b) => position(a) - position(b))
  }, [every, names])
  const isComplete = names.every((name) => variant.columns.some((column) => column.name === name))
  const widths = kept.widths ?? noWidths
  return {
    all,
    names,
    widths,
    isChanged: kept.names !== undefined || kept.widths !== undefined,
    variant: isComplete ? variant : (cheapestVariant(collection, names) ?? variant),
    set: (next) => change({ ...kept, names: next }),
    setWidth: (name, width) => {
      const { [name]: _, ...others } = widths
      change({ ...kept, widths: width === undefined ? others : { ...others, [name]: width } })
    },
    reset: () => change({}),
  }
}
