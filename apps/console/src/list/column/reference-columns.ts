/** The labels of the referenced records: one request for each column, only for the records on the page. */
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listQuery } from '../../http/queries.ts'
import type { Page } from '../../http/response-body.ts'
import type { Field } from '../../model/record/field.ts'
import { labelFields, labelOf } from '../../model/record/label.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Api, idOf, rootOf } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import type { ReferenceColumn } from '../row/list-cell.tsx'

export function useReferenceColumns(
  api: Api,
  columns: readonly Field[],
  records: readonly Json[],
): ReadonlyMap<string, ReferenceColumn> {
  const { service, http } = useConsole()
  const references = useMemo(
    () =>
      columns.flatMap((field) => {
        const target = field.kind === 'reference' && field.reference ? rootOf(service, api, field.reference) : undefined
        return target ? [{ field, target }] : []
      }),
    [service, api, columns],
  )
  const lists = useQueries({
    combine: recordsOf,
    queries: references.map(({ field, target }) => {
      const names = labelFields(service, target)
      const variant =
        target.variants.find(({ columns: shown }) =>
          names.every((name) => shown.some((column) => column.name === name)),
        ) ?? target.variants[0]
      const ids = [...new Set(records.map((record) => record[field.name]))].filter(
        (id) => id !== null && id !== undefined,
      )
      const query = new URLSearchParams()
      for (const id of ids.toSorted()) query.append(target.identity, `${id}`)
      // `include` also finds records that the default filter hides.
      if (variant?.hasInclude) for (const id of ids.toSorted()) query.append('include', `${id}`)
      if (variant?.pageSize) query.set('pageSize', `${Math.min(Math.max(1, ids.length), variant.pageSize.maximum)}`)
      const isFilterable = variant?.filters.some(({ exact }) => exact === target.identity) === true
      return {
        ...listQuery(http, { collection: target, variant: variant as NonNullable<typeof variant>, ids: [], query }),
        enabled: isFilterable && ids.length > 0,
      }
    }),
  })
  return useMemo(
    () =>
      new Map(
        references.map(({ field, target }, index) => {
          const records = lists[index] ?? []
          const labels = new Map(records.map((record) => [`${idOf(target, record)}`, labelOf(service, target, record)]))
          return [field.name, { target, labels }]
        }),
      ),
    [service, references, lists],
  )
}

/** The same array as long as no list changes. */
function recordsOf(queries: readonly { readonly data: Page | undefined }[]): readonly (readonly Json[] | undefined)[] {
  return queries.map(({ data }) => data?.records)
}
