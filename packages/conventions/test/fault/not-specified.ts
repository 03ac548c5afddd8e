/** Behavior that the conventions do not specify, different from Nomen: a failure only with isStrict. */
import { type Body, changeStatus, type Fault, isList, isMalformedJson, isMethod, isPlainText } from './fault.ts'

export const openPoints: readonly Fault[] = [
  { name: 'a page has 20 records by default', behavior: { defaultSize: 20 }, caughtBy: ['page-size'] },
  {
    name: 'a page past the end gives 404',
    behavior: {
      onResponse: (response, request) => {
        const { pageInfo, results } = (response.body ?? {}) as Body
        const isPast = isList(request) && results?.length === 0 && Number(pageInfo?.pageNumber) > 3
        return isPast ? { ...response, status: 404, body: {} } : response
      },
    },
    caughtBy: ['page-past-end'],
  },
  {
    name: 'unknown parameters are ignored',
    behavior: {
      onRequest: (request) => ({ ...request, query: request.query.filter(([name]) => !name.startsWith('nomenCheck')) }),
    },
    caughtBy: ['unknown-parameter'],
  },
  {
    name: 'an invalid page number gives the first page',
    behavior: {
      onRequest: (request) => ({
        ...request,
        query: request.query.filter(([name, value]) => !name.startsWith('page') || /^[1-9]\d*$/.test(value)),
      }),
    },
    caughtBy: ['bad-page'],
  },
  {
    name: 'an identity of the wrong type gives 400',
    behavior: changeStatus(({ parts }) => parts.at(-1) === 'nomen-check', 400),
    caughtBy: ['bad-identity'],
  },
  {
    name: 'a list below a missing parent is empty',
    behavior: {
      onResponse: (response, { method, parts }) =>
        method === 'GET' && parts.length === 3 && parts[2] === 'review' && response.status === 404
          ? { ...response, status: 200, body: [] }
          : response,
    },
    caughtBy: ['nested-missing-parent'],
  },
  {
    name: 'an unknown method gives 404',
    behavior: changeStatus(isMethod('PROPFIND'), 404),
    caughtBy: ['unknown-method'],
  },
  {
    name: 'a body that is not valid JSON gives 422',
    behavior: changeStatus(isMalformedJson, 422),
    caughtBy: ['malformed-json'],
  },
  { name: 'a text/plain body gives 400', behavior: changeStatus(isPlainText, 400), caughtBy: ['wrong-media-type'] },
  {
    name: 'a second DELETE gives 200',
    behavior: changeStatus(({ method }, { status }) => method === 'DELETE' && status === 404, 200),
    caughtBy: ['delete-twice'],
  },
]
