/** Serves the usage report of a service. */
import type { Answer } from '../../message/answer.ts'
import type { Page } from '../routes.ts'

/** `/usage`, which belongs to the service and to none of its APIs. */
export function usagePage(answer: (query: string) => Promise<Answer>): Page {
  return { path: '/usage', scope: 'usage:read', serve: ({ query }) => answer(query) }
}
