/** Filters of the recorded requests: by text, method and class of the status. */
import type { SentRequest } from './request-text.ts'
import { foldedText } from './title.ts'

type RecordedRequest = Pick<SentRequest, 'method' | 'path' | 'query'> & { readonly status: number }

export interface RequestFilter {
  readonly text: string
  /** Undefined for all. */
  readonly method?: string | undefined
  /** Undefined for all. */
  readonly statusClass?: string | undefined
}

/** The class of requests without a response. */
export const noStatus = 'none'

/** `2xx`, or the class of requests without a response. */
export function statusClass({ status }: RecordedRequest): string {
  return status === 0 ? noStatus : `${Math.floor(status / 100)}xx`
}

/** Whether a request has all words of the text in its method, its URL or its status, and the other values. */
export function matchesFilter(request: RecordedRequest, filter: RequestFilter): boolean {
  const { method, path, query, status } = request
  const content = foldedText(`${method} ${path}?${query} ${decodedValues(query)} ${status}`)
  const words = foldedText(filter.text).split(/\s+/)
  return (
    (filter.method === undefined || filter.method === method) &&
    (filter.statusClass === undefined || filter.statusClass === statusClass(request)) &&
    words.every((word) => content.includes(word))
  )
}

/** The values of the parameters as they were typed. */
function decodedValues(query: string): string {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join(' ')
}
