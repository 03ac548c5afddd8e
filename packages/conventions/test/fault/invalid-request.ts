/** Faults of the responses to invalid requests. */
import { correctBehavior } from '../library-behavior.ts'
import { changeStatus, type Fault, isBookList, isMethod, valueAt } from './fault.ts'

export const invalidRequestFaults: readonly Fault[] = [
  {
    name: 'an unknown parameter gives 500',
    behavior: changeStatus(
      (request, { status }) => isBookList(request) && request.target.includes('nomenCheck') && status === 400,
      500,
    ),
    caughtBy: ['unknown-parameter'],
  },
  {
    name: 'an invalid page number gives 500',
    behavior: changeStatus(
      (request, { status }) => isBookList(request) && valueAt(request, 'pageNumber') === 'abc' && status === 400,
      500,
    ),
    caughtBy: ['bad-page'],
  },
  {
    name: 'page 0 is accepted as page 0',
    behavior: { pageNumber: (text) => (text === '0' ? 0 : correctBehavior.pageNumber(text)) },
    caughtBy: ['bad-page'],
  },
  {
    name: 'an ID that is not an integer gives 500',
    behavior: changeStatus(({ parts }) => parts.length === 2 && parts[1] === 'nomen-check', 500),
    caughtBy: ['bad-identity'],
  },
  {
    name: 'an unknown method gives 200',
    behavior: changeStatus(isMethod('PROPFIND'), 200),
    caughtBy: ['unknown-method'],
  },
  {
    name: 'a 405 response has no Allow header',
    behavior: { onResponse: (response) => (response.status === 405 ? { ...response, headers: {} } : response) },
    caughtBy: ['unknown-method'],
  },
  {
    name: 'an unknown path gives 200',
    behavior: changeStatus(({ parts }, { status }) => parts.length === 1 && status === 404, 200),
    caughtBy: ['unknown-path'],
  },
]
