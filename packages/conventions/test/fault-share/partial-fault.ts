/** Faults of the library that affect only some of its books. */
import type { CheckCode } from '@nomen/conventions'
import { changeBody, isBook, isBookList, isByIsbn } from '../fault/fault.ts'
import type { Behavior, LibraryRequest, LibraryResponse } from '../library-behavior.ts'
import type { Row } from '../library-data.ts'

export type IsAffected = (row: Row) => boolean

export interface PartialFault {
  readonly name: string
  readonly behavior: (isAffected: IsAffected) => Partial<Behavior>
  /** The check that must report the fault. */
  readonly code: CheckCode
}

/** Responds with an error instead of an affected book. */
function errorFor(isSelected: (request: LibraryRequest) => boolean, status: number) {
  return (isAffected: IsAffected): Partial<Behavior> => ({
    onResponse: (response: LibraryResponse, request) =>
      response.status === 200 && isSelected(request) && isAffected(response.body as Row)
        ? { ...response, status, body: { detail: 'boom' } }
        : response,
  })
}

const isFiltered = (request: LibraryRequest) =>
  isBookList(request) && request.query.some(([name]) => !['pageNumber', 'pageSize', 'sort'].includes(name))

export const partialFaults: readonly PartialFault[] = [
  {
    name: 'the list shows an old value',
    behavior: (isAffected) =>
      changeBody(isBookList, (body) => ({
        ...body,
        results: body.results?.map((row) => (isAffected(row) ? { ...row, shelf: 'LOST' } : row)),
      })),
    code: 'list-agrees',
  },
  { name: 'a read gives 500', behavior: errorFor(isBook, 500), code: 'read' },
  {
    name: 'a single record lacks a property of the list',
    behavior: (isAffected) =>
      changeBody(isBook, (body) => {
        const { shelf: _, ...rest } = body
        return isAffected(body as Row) ? rest : body
      }),
    code: 'list-in-detail',
  },
  { name: 'a lookup gives 404', behavior: errorFor(isByIsbn, 404), code: 'lookup' },
  {
    name: 'a filter does not find the record',
    behavior: (isAffected) =>
      changeBody(isFiltered, (body) => {
        const results = body.results?.filter((row) => !isAffected(row)) ?? []
        const missing = (body.results?.length ?? 0) - results.length
        return {
          ...body,
          results,
          pageInfo: { ...body.pageInfo, numberOfRecords: Number(body.pageInfo?.numberOfRecords) - missing },
        }
      }),
    code: 'filter-equal',
  },
  {
    name: 'the summary shows another value',
    behavior: (isAffected) =>
      changeBody(
        ({ parts }) => parts[0] === 'book-summary',
        (body) => ({
          ...body,
          results: body.results?.map((row) => (isAffected(row) ? { ...row, title: 'x' } : row)),
        }),
      ),
    code: 'variant-agrees',
  },
  {
    name: 'the record is on two pages',
    behavior: (isAffected) =>
      changeBody(isBookList, (body) => ({
        ...body,
        results: body.results?.map((row) => (isAffected(row) ? { ...row, id: 1 } : row)),
      })),
    code: 'page-walk',
  },
]
