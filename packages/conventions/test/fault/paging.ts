/** Faults of the pages, the totals and the order of lists. */
import { correctBehaviour } from '../library-behaviour.ts'
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
    behaviour: changeBody(isBookList, ({ results }) => ({ results })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'a list at the root is a plain array',
    behaviour: changeBody(isBookList, ({ results }) => results),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'pageSize is a string',
    behaviour: changePageInfo(({ pageSize }) => ({ pageSize: `${pageSize}` })),
    caughtBy: ['document-agrees', 'envelope'],
  },
  {
    name: 'numberOfPages is rounded down',
    behaviour: changePageInfo((_, { size }, total) => ({ numberOfPages: Math.floor(total / size) })),
    caughtBy: ['page-arithmetic'],
  },
  {
    name: 'pageSize always has the default value in the response',
    behaviour: changePageInfo(() => ({ pageSize: 10 })),
    caughtBy: ['page-arithmetic', 'page-default', 'page-echo'],
  },
  {
    name: 'pageNumber counts from 0 in the response',
    behaviour: changePageInfo((_, { number }) => ({ pageNumber: number - 1 })),
    caughtBy: ['page-default', 'page-echo'],
  },
  {
    name: 'the last record of a page is repeated on the next page',
    behaviour: { slice: (rows, { number, size }) => rows.slice(Math.max(0, (number - 1) * size - 1), number * size) },
    caughtBy: overlapChecks,
  },
  {
    name: 'pages begin one record too early',
    behaviour: {
      slice: (rows, { number, size }) =>
        rows.slice(Math.max(0, (number - 1) * size - 1), Math.max(0, (number - 1) * size - 1) + size),
    },
    caughtBy: overlapChecks,
  },
  {
    name: 'the last record is never shown',
    behaviour: { slice: (rows, page) => correctBehaviour.slice(rows.slice(0, -1), page) },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-default', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords counts only the records of the page',
    behaviour: changeBody(isList, (body) => {
      if (body.pageInfo) body.pageInfo.numberOfRecords = body.results?.length
      return body
    }),
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-sorted', 'page-walk'],
  },
  {
    name: 'numberOfRecords is one too many',
    behaviour: { total: (matched) => matched.length + 1 },
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
    behaviour: { total: (_, all) => all.length },
    caughtBy: ['filter-any-of', 'filter-equal', 'filter-none', 'include-counted'],
  },
  {
    name: 'the order depends on the size of the page',
    behaviour: {
      order: (rows, sort, page) => (page.size % 2 === 0 ? rows.toReversed() : correctBehaviour.order(rows, sort, page)),
    },
    caughtBy: ['include-position', 'page-order'],
  },
  {
    name: 'sorted records with the same value change their order from page to page',
    behaviour: {
      order: (rows, sort, page) => {
        const [key] = sort
        if (key === undefined) return correctBehaviour.order(rows, sort, page)
        const name = key.replace(/^-/, '')
        const unsorted = page.number % 2 === 0 ? rows.toReversed() : rows
        return unsorted.toSorted((a, b) => (`${a[name]}` < `${b[name]}` ? -1 : `${a[name]}` > `${b[name]}` ? 1 : 0))
      },
    },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'a sorted list leaves out a record',
    behaviour: {
      order: (rows, sort, page) => correctBehaviour.order(sort.length > 0 ? rows.slice(1) : rows, sort, page),
    },
    caughtBy: ['page-sorted'],
  },
  {
    name: 'the second page is returned without pageNumber',
    behaviour: { pageNumber: (text) => (text === undefined ? 2 : correctBehaviour.pageNumber(text)) },
    caughtBy: ['page-default'],
  },
  {
    name: 'pageNumber is ignored without pageSize',
    behaviour: {
      onRequest: (request) =>
        valueAt(request, 'pageSize') === undefined ? withoutParameters(['pageNumber'])(request) : request,
    },
    caughtBy: ['page-default'],
  },
  {
    name: 'the last page is returned past the end',
    behaviour: {
      slice: (rows, { number, size }) =>
        correctBehaviour.slice(rows, { size, number: Math.max(1, Math.min(number, Math.ceil(rows.length / size))) }),
    },
    caughtBy: ['filter-equal', 'page-arithmetic', 'page-order', 'page-past-end', 'page-sorted', 'page-walk'],
  },
  {
    name: 'a page past the end gives 500',
    behaviour: changeStatus((request) => isBookList(request) && Number(valueAt(request, 'pageNumber')) > 9, 500),
    caughtBy: ['page-past-end'],
  },
]
