/** Faults of the pages, the totals and the order of lists. */
import { correctBehavior } from '../library-behavior.ts'
import {
  changeBody,
  changePageInfo,
  changeStatus,
  type Fault,
  isBookList,
  isList,
  valueAt,
  withoutParameters,
} from './fault.ts'

/** The checks that find a record on two pages. */
const overlapChecks = [
  'filter-equal',
  'include-position',
  'page-arithmetic',
  'page-default',
  'page-order',
  'page-sorted',
  'page-walk',
] as const

export const pagingFaults: readonly Fault[] = [
  {
    name: 'a list has no pageInfo',
    behavior: changeBody(isBookList, ({ results }) => ({ results })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'a list at the root is a plain array',
    behavior: changeBody(isBookList, ({ results }) => results),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'pageSize is a string',
    behavior: changePageInfo(({ pageSize }) => ({ pageSize: `${pageSize}` })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'numberOfPages is rounded down',
    behavior: changePageInfo((_, { size }, total) => ({ numberOfPages: Math.floor(total / size) })),
    caughtBy: ['page-arithmetic'],
  },
  {
    name: 'pageSize always has the default value in the response',
    behavior: changePageInfo(() => ({ pageSize: 10 })),
    caughtBy: ['page-arithmetic', 'page-default', 'page-echo'],
  },
  {
    name: 'pageNumber counts from 0 in the response',
    behavior: changePageInfo((_, { number }) => ({ pageNumber: number - 1 })),
    caughtBy: ['page-default', 'page-echo'],
  },
  {
    name: 'the last record of a page is repeated on the next page',
    behavior: { slice: (rows, { number, size }) => rows.slice(Math.max(0, (number - 1) * size - 1), number * size) },
    caughtBy: overlapChecks,
  },
  {
    name: 'pages begin one record too early',
    behavior: {
      slice: (rows, { number, size }) =>
        rows.slice(Math.max(0, (number - 1) * size - 1), Math.max(0, (number - 1) * size - 1) + size),
    },
    caughtBy: overlapChecks,
  },
  {
    name: 'the last record is never shown',
    behavior: { slice: (rows, page) => correctBehavior.slice(rows.slice(0, -1), page) },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-default', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords counts only the records of the page',
    behavior: changeBody(isList, (body) => {
      if (body.pageInfo) body.pageInfo.numberOfRecords = body.results?.length
      return body
    }),
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords is one too many',
    behavior: { total: (matched) => matched.length + 1 },
    caughtBy: [
      'filter-any-of',
      'filter-equal',
      'filter-none',
      'page-arithmetic',
      'page-default',
      'page-sorted',
      'page-walk',
    ],
  },
  {
    name: 'numberOfRecords ignores the filters',
    behavior: { total: (_, all) => all.length },
    caughtBy: ['filter-any-of', 'filter-equal', 'filter-none', 'include-counted'],
  },
  {
    name: 'the order depends on the size of the page',
    behavior: {
      order: (rows, sort, page) => (page.size % 2 === 0 ? rows.toReversed() : correctBehavior.order(rows, sort, page)),
    },
    caughtBy: ['include-position', 'page-order'],
  },
  {
    name: 'sorted records with the same value change their order from page to page',
    behavior: {
      order: (rows, sort, page) => {
        const [key] = sort
        if (key === undefined) return correctBehavior.order(rows, sort, page)
        const name = key.replace(/^-/, '')
        const unsorted = page.number % 2 === 0 ? rows.toReversed() : rows
        return unsorted.toSorted((a, b) => (`${a[name]}` < `${b[name]}` ? -1 : `${a[name]}` > `${b[name]}` ? 1 : 0))
      },
    },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'a sorted list leaves out a record',
    behavior: {
      order: (rows, sort, page) => correctBehavior.order(sort.length > 0 ? rows.slice(1) : rows, sort, page),
    },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'the second page is returned without pageNumber',
    behavior: { pageNumber: (text) => (text === undefined ? 2 : correctBehavior.pageNumber(text)) },
    caughtBy: ['page-default'],
  },
  {
    name: 'pageNumber is ignored without pageSize',
    behavior: {
      onRequest: (request) =>
        valueAt(request, 'pageSize') === undefined ? withoutParameters(['pageNumber'])(request) : request,
    },
    caughtBy: ['page-default'],
  },
  {
    name: 'the last page is returned past the end',
    behavior: {
      slice: (rows, { number, size }) =>
        correctBehavior.slice(rows, { size, number: Math.max(1, Math.min(number, Math.ceil(rows.length / size))) }),
    },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-order', 'page-past-end', 'page-sorted', 'page-walk'],
  },
  {
    name: 'a page past the end gives 500',
    behavior: changeStatus((request) => isBookList(request) && Number(valueAt(request, 'pageNumber')) > 9, 500),
    caughtBy: ['page-past-end'],
  },
]
