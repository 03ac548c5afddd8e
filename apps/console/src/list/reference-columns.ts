/** The names of the records that a page's references point at: one call for each column, for those on the page only. */
import { useQueries } from '@tanstack/react-query'
import type { Field } from '../model/record/field.ts'
import { labelFields, labelOf } from '../model/record/label.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Api, idOf, rootOf } from '../model/service/service.ts'
import { useConsole } from '../wire/console-context.ts'
import { listQuery } from '../wire/data.ts'
import type { ReferenceColumn } from './list-cell.tsx'

export function useReferenceColumns(
  api: Api,
  columns: readonly Field[],
  records: readonly Json[],
): ReadonlyMap<string, ReferenceColumn> {
  const { service, wire } = useConsole()
  const found = columns.flatMap((field) => {
    const target = field.kind === 'reference' && field.reference ? rootOf(service, api, field.reference) : undefined
    return target ? [{ field, target }] : []
  })
  const answers = useQueries({
    queries: found.map(({ field, target }) => {
      const names = labelFields(service, target)
      const variant =
        target.variants.find(({ columns: shown }) => names.every((name) => shown.some((one) => one.name === name))) ??
        target.variants[0]
      const ids = [...new Set(records.map((record) => record[field.name]))].filter(
        (id) => id !== null && id !== undefined,
      )
      const query = new URLSearchParams()
      for (const id of ids.toSorted()) query.append(target.identity, `${id}`)
      // A record that the list hides by default is named all the same.
      if (variant?.hasInclude) for (const id of ids.toSorted()) query.append('include', `${id}`)
      if (variant?.pageSize) query.set('pageSize', `${Math.min(Math.max(1, ids.length), variant.pageSize.maximum)}`)
      const isFilterable = variant?.filters.some((one) => one.names[0] === target.identity) === true
      return {
        ...listQuery(wire, { collection: target, variant: variant as NonNullable<typeof variant>, ids: [], query }),
        enabled: isFilterable && ids.length > 0,
      }
    }),
  })
  return new Map(
    found.map(({ field, target }, index) => {
      const named = answers[index]?.data?.records ?? []
      const labels = new Map(named.map((one) => [`${idOf(target, one)}`, labelOf(service, target, one)]))
      return [field.name, { target, labels }]
    }),
  )
}
