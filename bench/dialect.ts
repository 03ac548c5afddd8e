/** How a contender is spoken to: each has its own addresses and its own form of answers. */
import type { Ask } from './ask.ts'

export interface BenchRequest {
  readonly method: 'GET' | 'PATCH' | 'PUT'
  readonly path: string
  readonly body?: string
}

export interface Answer {
  readonly headers: Headers
  readonly body: unknown
}

export interface Dialect {
  /** The request that asks for this. */
  request(ask: Ask): BenchRequest
  /** What an answer says, in a form that can be compared with the answers of other contenders. */
  read(ask: Ask, answer: Answer): unknown
}
