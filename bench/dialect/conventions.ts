/** The API of the service, which the hand-written ones follow: responses are compared exactly. */

import type { Dialect } from '../dialect.ts'
import { pageSize } from '../request-spec.ts'

export const conventions: Dialect = {
  request(spec) {
    if (spec.target === 'record') return { method: 'GET', path: `/user/${spec.id}` }
    if (spec.target === 'change')
      return { method: 'PATCH', path: `/user/${spec.id}`, body: JSON.stringify({ phone: spec.phone }) }
    const { filter, size = pageSize, number } = spec
    const query = new URLSearchParams({ ...filter, pageSize: `${size}`, pageNumber: `${number}` })
    return { method: 'GET', path: `/user?${query}` }
  },
  read: (_spec, { body }) => body,
}
