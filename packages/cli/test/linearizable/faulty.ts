/** Proxies for a correct service, each with an occasional fault that the check must find. */
import type { Random } from '@nomen/testing/random'
import { numberOfAccounts } from './ledger.ts'
import type { Request, Response, Send } from './load.ts'

type Fault = (send: Send, random: Random) => Send

interface Page {
  readonly pageInfo: { readonly numberOfRecords: number; readonly numberOfPages: number }
  readonly results: readonly object[]
}

/** Replaces one in `oneIn` of the affected requests. */
const sometimes =
  (isAffected: (request: Request) => boolean, oneIn: number, replacement: (send: Send) => Send): Fault =>
  (send, random) => {
    const sendFaulty = replacement(send)
    return (request) => (isAffected(request) && random.below(oneIn) === 0 ? sendFaulty(request) : send(request))
  }

/** Sometimes returns an old response, like a cache. */
const cacheResponses: Fault = (send, random) => {
  const cached = new Map<string, Response>()
  return async (request) => {
    if (request.method !== 'GET' || request.headers) return send(request)
    const old = cached.get(request.path)
    if (old && random.below(8) === 0) return old
    const response = await send(request)
    if (!old || random.below(8) === 0) cached.set(request.path, response)
    return response
  }
}

/** The current page with earlier totals. */
const oldTotals: Fault = (send, random) => {
  const cached = new Map<string, Page['pageInfo']>()
  return async (request) => {
    const response = await send(request)
    if (request.method !== 'GET' || !request.path.startsWith('/item?pageNumber=')) return response
    const { pageInfo, results } = response.body as Page
    const old = cached.get(request.path)
    cached.set(request.path, pageInfo)
    return old && random.below(2) === 0 ? { ...response, body: { pageInfo: old, results } } : response
  }
}

/** Reads accounts one after the other instead of in one snapshot. */
const oneByOne =
  (send: Send): Send =>
  async () => {
    const results: unknown[] = []
    for (let id = 1; id <= numberOfAccounts; id++)
      results.push((await send({ method: 'GET', path: `/account/${id}` })).body)
    return { status: 200, tag: undefined, body: { results } }
  }

/** Each fault with the kinds of violations that it causes. */
export const faults: Readonly<Record<string, { readonly fault: Fault; readonly kinds: readonly string[] }>> = {
  'cached responses that are too old': { fault: cacheResponses, kinds: ['not linearizable', 'snapshot', 'total'] },
  'a lost If-Match': {
    fault: sometimes(
      ({ headers }) => headers?.['if-match'] !== undefined,
      2,
      (send) =>
        ({ headers: _, ...request }) =>
          send(request),
    ),
    kinds: ['not linearizable'],
  },
  'creates that are sent twice': {
    fault: sometimes(
      ({ method, path, headers }) => method === 'POST' && path === '/item' && !headers,
      3,
      (send) => async (request) => {
        const first = await send(request)
        const body = { ...(request.body as { writeId: string }) }
        await send({ ...request, body: { ...body, writeId: `${body.writeId}-again` } })
        return first
      },
    ),
    kinds: ['created twice', 'mixed', 'page'],
  },
  'writes that are acknowledged but not applied': {
    fault: sometimes(
      ({ method, headers }) => method === 'PATCH' && headers?.['if-match'] === undefined,
      4,
      (send) =>
        async ({ path, body }) => {
          const { status, tag, body: record } = await send({ method: 'GET', path })
          return { status, tag, body: status === 200 ? { ...(record as object), ...body } : record }
        },
    ),
    kinds: ['not linearizable'],
  },
  'deletes that are acknowledged but not applied': {
    fault: sometimes(
      ({ method, path, headers }) => method === 'DELETE' && path.startsWith('/item') && !headers?.['if-match'],
      2,
      (send) =>
        ({ path }) =>
          send({ method: 'GET', path }),
    ),
    kinds: ['not linearizable', 'snapshot', 'total'],
  },
  'totals of another time': { fault: oldTotals, kinds: ['page', 'total'] },
  'accounts read one by one': {
    fault: sometimes(({ path }) => path.startsWith('/account?'), 1, oneByOne),
    kinds: ['sum'],
  },
  'links that are not applied': {
    fault: sometimes(
      ({ method }) => method === 'PUT',
      3,
      () => async () => ({ status: 200, tag: undefined, body: {} }),
    ),
    kinds: ['not linearizable'],
  },
}
