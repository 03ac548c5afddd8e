/** The service's own way, which those written by hand follow: answers are compared as they are, to the last letter. */
import { pageSize } from '../ask.ts'
import type { Dialect } from '../dialect.ts'

export const conventions: Dialect = {
  request(ask) {
    if (ask.of === 'record') return { method: 'GET', path: `/user/${ask.id}` }
    if (ask.of === 'change')
      return { method: 'PATCH', path: `/user/${ask.id}`, body: JSON.stringify({ phone: ask.phone }) }
    const query = new URLSearchParams({ ...ask.filter, pageSize: `${pageSize}`, pageNumber: `${ask.number}` })
    return { method: 'GET', path: `/user?${query}` }
  },
  read: (_ask, { body }) => body,
}
