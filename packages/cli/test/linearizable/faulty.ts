/** Ways to a service that is right, each of which makes one mistake now and then: what is checked must be found by each. */
import type { Random } from '@nomen/testing/random'
import { numberOfAccounts } from './ledger.ts'
import type { Request, Response, Send } from './load.ts'

type Fault = (send: Send, random: Random) => Send

interface Page {
  readonly pageInfo: { readonly numberOfRecords: number; readonly numberOfPages: number }
  readonly results: readonly object[]
}

/** Wraps what is sent: a request of which `isMet` is true goes another way now and then. */
const sometimes =
  (isMet: (request: Request) => boolean, often: number, other: (send: Send) => Send): Fault =>
  (send, random) => {
    const instead = other(send)
    return (request) => (isMet(request) && random.below(often) === 0 ? instead(request) : send(request))
  }

/** Of each path, the first answer and some later ones, as a cache would keep them. */
const stale: Fault = (send, random) => {
  const kept = new Map<string, Response>()
  return async (request) => {
    if (request.method !== 'GET' || request.headers) return send(request)
    const old = kept.get(request.path)
    if (old && random.below(8) === 0) return old
    const answer = await send(request)
    if (!old || random.below(8) === 0) kept.set(request.path, answer)
    return answer
  }
}

/** A page of now with the numbers of before. */
const oldTotals: Fault = (send, random) => {
  const kept = new Map<string, Page['pageInfo']>()
  return async (request) => {
    const answer = await send(request)
    if (request.method !== 'GET' || !request.path.startsWith('/item?pageNumber=')) return answer
    const { pageInfo, results } = answer.body as Page
    const old = kept.get(request.path)
    kept.set(request.path, pageInfo)
    return old && random.below(2) === 0 ? { ...answer, body: { pageInfo: old, results } } : answer
  }
}

/** Accounts one after the other, in place of all at one moment. */
const oneByOne =
  (send: Send): Send =>
  async () => {
    const results: unknown[] = []
    for (let id = 1; id <= numberOfAccounts; id++)
      results.push((await send({ method: 'GET', path: `/account/${id}` })).body)
    return { status: 200, tag: undefined, body: { results } }
  }

/** Each fault with the kinds of violation that tell of it. */
export const faults: Readonly<Record<string, { readonly fault: Fault; readonly kinds: readonly string[] }>> = {
  'answers that were kept too long': { fault: stale, kinds: ['not linearizable', 'snapshot', 'total'] },
  'If-Match that gets lost': {
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
        const again = { ...(request.body as { mark: string }) }
        await send({ ...request, body: { ...again, mark: `${again.mark}-again` } })
        return first
      },
    ),
    kinds: ['created twice', 'mixed', 'page'],
  },
  'writes that are acknowledged and not done': {
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
  'deletes that are acknowledged and not done': {
    fault: sometimes(
      ({ method, path, headers }) => method === 'DELETE' && path.startsWith('/item') && !headers?.['if-match'],
      2,
      (send) =>
        ({ path }) =>
          send({ method: 'GET', path }),
    ),
    kinds: ['not linearizable', 'snapshot', 'total'],
  },
  'totals of another moment': { fault: oldTotals, kinds: ['page', 'total'] },
  'accounts read one by one': {
    fault: sometimes(({ path }) => path.startsWith('/account?'), 1, oneByOne),
    kinds: ['sum'],
  },
  'links that are not done': {
    fault: sometimes(
      ({ method }) => method === 'PUT',
      3,
      () => async () => ({ status: 200, tag: undefined, body: {} }),
    ),
    kinds: ['not linearizable'],
  },
}
