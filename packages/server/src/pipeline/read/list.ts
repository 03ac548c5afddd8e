/** Reads the query of a list: pages, order, filters, search and include. */
import type { FieldError, ListParameter, Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import type { Condition } from '../../store/plan.ts'
import { listHint } from './list-hint.ts'
import { type PartialListQuery, readParameter } from './list-parameter.ts'
import { invalidParameter, rejectUnknown, rejectUnsupported } from './parameter-problem.ts'
import type { ListQuery } from './parsed-request.ts'
import { parseQuery, type Query } from './query-string.ts'

/** The number of queries that are cached for each list, and the maximum length of a cached query. */
const maxCachedQueries = 200
const maxCachedLength = 200

/** Creates the query reader of one list at start. */
export function listReader(operation: Operation): (query: string) => ListQuery {
  const readQuery = queryReader(operation)
  // Clients request the same pages again and again, so parsed queries are cached.
  const cache = new LruCache<ListQuery>(maxCachedQueries)
  return (query) =>
    query.length > maxCachedLength ? readQuery(parseQuery(query)) : cache.get(query, () => readQuery(parseQuery(query)))
}

function queryReader({ list, path, changesOf }: Operation): (query: Query) => ListQuery {
  const parameters = list?.parameters ?? []
  const names = new Set(parameters.map(({ name }) => name))
  const pageSizeParameter = parameters.find((parameter) => parameter.kind === 'pageSize')
  const defaults: ListQuery = {
    conditions: parameters.flatMap((parameter) => defaultCondition(parameter) ?? []),
    include: [],
    order: [],
    ...(pageSizeParameter && { page: { pageNumber: 1, pageSize: pageSizeParameter.default } }),
  }
  const parametersWithDefaults = parameters.map((parameter) => ({ parameter, condition: defaultCondition(parameter) }))
  return (query) => {
    if (query.size === 0) return defaults
    if (changesOf) rejectUnsupported(query, list?.unsupportedParameters ?? [], path)
    rejectUnknown(query, names, path)
    const errors: FieldError[] = []
    let hint: string | undefined
    const listQuery: PartialListQuery = {
      conditions: [],
      include: [],
      order: [],
      ...(defaults.page && { page: defaults.page }),
    }
    for (const { parameter, condition } of parametersWithDefaults) {
      const texts = query.get(parameter.name)
      if (!texts) {
        if (condition) listQuery.conditions.push(condition)
        continue
      }
      const fault = readParameter(parameter, texts, listQuery, changesOf?.noun)
      if (fault === undefined) continue
      errors.push({ parameter: parameter.name, detail: fault })
      hint ??= listHint(parameter, texts, parameters)
    }
    if (listQuery.afterId !== undefined) errors.push(...followingConflicts(query))
    if (list?.canBeFollowed) errors.push(...unstoredKinds(query))
    if (errors.length > 0) throw invalidParameter(errors, hint)
    return listQuery
  }
}

/** Changes are followed in their own order, from an ID on. */
function followingConflicts(query: Query): readonly FieldError[] {
  return ['pageNumber', 'sort', 'include']
    .filter((name) => query.has(name))
    .map((parameter) => ({ parameter, detail: 'cannot be combined with afterId or wait' }))
}

/** These kinds are derived from CHANGED when entries are listed. */
function unstoredKinds(query: Query): readonly FieldError[] {
  const kind = query.get('kind')?.find((text) => text === 'ENTERED' || text === 'LEFT')
  if (kind === undefined) return []
  return [{ parameter: 'kind', detail: `cannot be ${kind}. Use CHANGED, which includes ENTERED and LEFT` }]
}

function defaultCondition(parameter: ListParameter): Condition | undefined {
  if (parameter.kind !== 'equal' || !parameter.default) return undefined
  return { kind: 'equal', fields: parameter.fields, values: parameter.default }
}
