/** Faults of filters and of include. */
import { correctBehavior } from '../library-behavior.ts'
import type { Row } from '../library-data.ts'
import { type Body, chooseValues, type Fault, isBookList, isList, valueAt, withoutParameters } from './fault.ts'

export const filterFaults: readonly Fault[] = [
  {
    name: 'all filters are ignored',
    behavior: { matches: () => true },
    caughtBy: ['filter-all-of', 'filter-any-of', 'filter-equal', 'filter-none', 'include-counted'],
  },
  {
    name: 'one filter is ignored',
    behavior: { onRequest: (request) => (isBookList(request) ? withoutParameters(['shelf'])(request) : request) },
    caughtBy: ['filter-all-of', 'filter-any-of', 'filter-equal'],
  },
  {
    name: 'a filter matches the beginning of values',
    behavior: { matches: (value, filters) => filters.some((filter) => `${value ?? ''}`.startsWith(filter)) },
    caughtBy: ['filter-equal'],
  },
  {
    name: 'only the last of repeated values counts',
    behavior: { onRequest: chooseValues((values) => values.slice(-1)) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'only the first of repeated values counts',
    behavior: { onRequest: chooseValues((values) => values.slice(0, 1)) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'repeated values are joined to one string',
    behavior: { onRequest: chooseValues((values) => [values.join(',')]) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'repeated values must all match',
    behavior: { matches: (value, filters) => filters.every((filter) => `${value ?? ''}` === filter) },
    caughtBy: ['filter-any-of'],
  },
  {
    name: 'one of several filters is enough',
    behavior: { combine: (matches) => matches.some(Boolean) },
    caughtBy: ['filter-all-of'],
  },
  {
    name: 'only the first of several filters counts',
    behavior: { combine: ([first = true]) => first },
    caughtBy: ['filter-all-of'],
  },
  {
    name: 'a filter without matches gives an error',
    behavior: {
      onResponse: (response, request) => {
        const { results } = (response.body ?? {}) as Body
        return isList(request) && results?.length === 0 && request.query.length > 1 && !valueAt(request, 'pageNumber')
          ? { ...response, status: 404 }
          : response
      },
    },
    caughtBy: ['filter-all-of', 'filter-none'],
  },
  {
    name: 'include is ignored',
    behavior: { include: () => false },
    caughtBy: ['include-counted', 'include-position', 'include-present'],
  },
  {
    name: 'an included record is added to the requested page',
    behavior: {
      order: (rows, sort, page) => correctBehavior.order(rows, sort, page),
      onResponse: (response, request, store) => {
        const included = valueAt(request, 'include')
        const { results } = (response.body ?? {}) as Body
        if (response.status !== 200 || !isBookList(request) || !included || !results) return response
        const row = (store.book ?? []).find(({ id }) => `${id}` === included) as Row
        const [first] = results.filter(({ id }) => id !== row.id)
        const item = { id: row.id ?? null, title: row.title ?? null, shelf: row.shelf ?? null }
        return {
          ...response,
          body: {
            ...(response.body as Body),
            results: first ? [item, ...results.filter(({ id }) => id !== row.id).slice(1)] : [item],
          },
        }
      },
    },
    caughtBy: ['include-position'],
  },
  {
    name: 'an included record is not counted',
    behavior: {
      onResponse: (response, request) => {
        const body = structuredClone(response.body) as Body
        if (!isList(request) || !valueAt(request, 'include') || !body.pageInfo || request.query.length < 3)
          return response
        body.pageInfo.numberOfRecords = Number(body.pageInfo.numberOfRecords) - 1
        return { ...response, body }
      },
    },
    caughtBy: ['include-counted'],
  },
]
