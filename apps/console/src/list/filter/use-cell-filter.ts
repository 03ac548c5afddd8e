/** Filters a list by the value of one of its cells. */
import { useQueryClient } from '@tanstack/react-query'
import { recordQuery } from '../../http/queries.ts'
import { type Filter, parametersOf } from '../../model/list/filter.ts'
import { boundOf } from '../../model/list/preset.ts'
import { withFilterValue, withoutParameters, withValues } from '../../model/list/query.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, type Variant } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import { useAttempt } from '../../state/use-attempt.ts'

interface CellFilterOptions {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  onChange(query: URLSearchParams): void
}

export function useCellFilter({ collection, variant, ids, query, onChange }: CellFilterOptions) {
  const { http } = useConsole()
  const attempt = useAttempt()
  const queries = useQueryClient()
  /** A list may show the label of a reference in place of its ID, which only the record has. */
  const cellValue = async (record: Json, name: string): Promise<unknown> => {
    const column = variant.columns.find((field) => field.name === name)
    if (!column?.labelFields || record[name] === null || !collection.operations.read) return record[name]
    const path = [...ids, `${idOf(collection, record)}`]
    return (await queries.fetchQuery(recordQuery(http, collection, path))).record[name]
  }
  return async (record: Json, name: string): Promise<void> => {
    const filter = variant.filters.find((candidate) => candidate.name === name)
    if (filter) await attempt(async () => onChange(withValueOnly(query, filter, await cellValue(record, name))))
  }
}

const dayMs = 86_400_000

/** The whole day of a time if the filter has a range, because no other record has exactly the same time. */
function withValueOnly(query: URLSearchParams, filter: Filter, value: unknown): URLSearchParams {
  const { exact, range, field } = filter
  const cleared = withoutParameters(query, parametersOf(filter))
  if (exact !== undefined && (value === null || value === undefined)) return withFilterValue(cleared, filter, '')
  if (field.kind !== 'timestamp' || !range?.from || !range.to) return withFilterValue(cleared, filter, `${value}`)
  const day = `${value}`.slice(0, 10)
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  return withValues(withValues(cleared, range.from, [boundOf(day, field.kind)]), range.to, [boundOf(next, field.kind)])
}
