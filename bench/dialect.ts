/** The API of a contender: its URLs and its form of responses. */
import type { RequestSpec } from './request-spec.ts'

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ContenderResponse {
  readonly headers: Headers
  readonly body: unknown
}

export interface Dialect {
  /** The HTTP request of the contender. */
  request(spec: RequestSpec): BenchRequest
  /** The data of a response, in a form that can be compared with other contenders. */
  read(spec: RequestSpec, response: ContenderResponse): unknown
}
