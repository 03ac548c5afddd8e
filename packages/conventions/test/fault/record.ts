/** Faults of reads, lookups, list variants and sub-resources. */
import { changeBody, changeStatus, type Fault, isBook, isBookList, isByIsbn } from './fault.ts'

export const recordFaults: readonly Fault[] = [
  {
    name: 'a read returns another record',
    behavior: changeBody(isBook, (body, _, { parts }) => (parts[1] === '900' ? body : { ...body, id: 1 })),
    caughtBy: ['list-agrees', 'lookup', 'read', 'update-full-record'],
  },
  {
    name: 'a missing record gives 200',
    behavior: changeStatus((request, { status }) => isBook(request) && status === 404, 200),
    caughtBy: ['bad-identity', 'delete-gone', 'document-agrees', 'read-missing'],
  },
  {
    name: 'a missing record gives 500',
    behavior: changeStatus((request, { status }) => isBook(request) && status === 404, 500),
    caughtBy: ['bad-identity', 'delete-gone', 'read-missing'],
  },
  {
    name: 'the list has a property that the record lacks',
    behavior: changeBody(isBook, ({ shelf: _, ...body }) => body),
    caughtBy: ['document-agrees', 'list-in-detail', 'lookup', 'put-complete', 'update-full-record'],
  },
  {
    name: 'the list shows old values',
    behavior: changeBody(isBookList, (body) => ({
      ...body,
      results: body.results?.map((row) => ({ ...row, title: `${row.title}!` })),
    })),
    caughtBy: ['filter-equal', 'list-agrees', 'variant-agrees'],
  },
  {
    name: 'a summary shows more than the list',
    behavior: changeBody(
      ({ parts }) => parts[0] === 'book-summary',
      (body) => ({ ...body, results: body.results?.map((row) => ({ ...row, isbn: 'x' })) }),
    ),
    caughtBy: ['document-agrees', 'variant-shape'],
  },
  {
    name: 'a detail list lacks a property of the list',
    behavior: changeBody(
      ({ parts }) => parts[0] === 'book-detail',
      (body) => ({ ...body, results: body.results?.map(({ shelf: _, ...row }) => row) }),
    ),
    caughtBy: ['document-agrees', 'variant-shape'],
  },
  {
    name: 'a detail list has other values',
    behavior: changeBody(
      ({ parts }) => parts[0] === 'book-detail',
      (body) => ({ ...body, results: body.results?.map((row) => ({ ...row, title: 'x' })) }),
    ),
    caughtBy: ['variant-agrees'],
  },
  {
    name: 'a lookup returns a record without one of its properties',
    behavior: changeBody(isByIsbn, ({ note: _, ...body }) => body),
    caughtBy: ['document-agrees', 'lookup'],
  },
  {
    name: 'a lookup without a match gives 200',
    behavior: changeStatus((request, { status }) => isByIsbn(request) && status === 404, 200),
    caughtBy: ['document-agrees', 'lookup-missing'],
  },
  {
    name: 'a lookup without a match gives 400',
    behavior: changeStatus((request, { status }) => isByIsbn(request) && status === 404, 400),
    caughtBy: ['lookup-missing'],
  },
  {
    name: 'a sub-resource lists the records of all parents',
    behavior: { belongs: () => true },
    caughtBy: ['nested-belongs'],
  },
  {
    name: 'a child is found below any parent',
    behavior: {
      onResponse: (response, request, store) => {
        const [, , name, id] = request.parts
        const row =
          name === 'award' && request.method === 'GET' ? store.award?.find((award) => `${award.id}` === id) : undefined
        return row && response.status === 404 ? { ...response, status: 200, body: row } : response
      },
    },
    caughtBy: ['nested-elsewhere'],
  },
  {
    name: 'a list below a missing parent gives 500',
    behavior: changeStatus(
      ({ method, parts }, { status }) =>
        method === 'GET' && parts.length === 3 && parts[2] === 'review' && status === 404,
      500,
    ),
    caughtBy: ['nested-missing-parent'],
  },
]
