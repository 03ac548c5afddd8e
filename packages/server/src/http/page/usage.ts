/** Serves the usage report of a service. */
import type { TextResponse } from '../../message/text-response.ts'
import type { Page } from '../routes.ts'

/** `/usage`, which belongs to the service and to none of its APIs. */
export function usagePage(response: (query: string) => Promise<TextResponse>): Page {
  return { path: '/usage', scope: 'usage:read', serve: ({ query }) => response(query) }
}
