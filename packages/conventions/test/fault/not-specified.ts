/** Behavior that the conventions do not specify, different from Nomen: a failure only with isStrict. */
import { type Body, changeStatus, type Fault, isList, isMalformedJson, isMethod, isPlainText } from './fault.ts'

export const openPoints: readonly Fault[] = [
  { name: 'a page has 20 records by default', behaviour: { defaultSize: 20 }, caughtBy: ['page-size'] },
  {
    name: 'a page past the end gives 404',
    behaviour: {
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
    behaviour: {
      onRequest: (request) => ({ ...request, query: request.query.filter(([name]) => !name.startsWith('nomenCheck')) }),
    },
    caughtBy: ['unknown-parameter'],
  },
  {
    name: 'an invalid page number gives the first page',
    behaviour: {
      onRequest: (request) => ({
        ...request,
        query: request.query.filter(([name, value]) => !name.startsWith('page') || /^[1-9]\d*$/.test(value)),
      }),
    },
    caughtBy: ['bad-page'],
  },
  {
    name: 'an identity of the wrong type gives 400',
    behaviour: changeStatus(({ parts }) => parts.at(-1) === 'nomen-check', 400),
    caughtBy: ['bad-identity'],
  },
  {
    name: 'a list below a missing parent is empty',
    behaviour: {
      onResponse: (response, { method, parts }) =>
        method === 'GET' && parts.length === 3 && parts[2] === 'review' && response.status === 404
          ? { ...response, status: 200, body: [] }
          : response,
    },
    caughtBy: ['nested-missing-parent'],
  },
  {
    name: 'an unknown method gives 404',
    behaviour: changeStatus(isMethod('PROPFIND'), 404),
    caughtBy: ['unknown-method'],
  },
  {
    name: 'a body that is not valid JSON gives 422',
    behaviour: changeStatus(isMalformedJson, 422),
    caughtBy: ['malformed-json'],
  },
  { name: 'a text/plain body gives 400', behaviour: changeStatus(isPlainText, 400), caughtBy: ['wrong-media-type'] },
  {
    name: 'a second DELETE gives 200',
    behaviour: changeStatus(({ method }, { status }) => method === 'DELETE' && status === 404, 200),
    caughtBy: ['delete-twice'],
  },
]
