/** The entry point of @nomen/core/client: a typed HTTP client. */
export type { Envelope, PageInfo } from '../wire/page.ts'
export type { FieldError } from '../wire/problem.ts'
export { ProblemError } from '../wire/problem-error.ts'
export { client } from './client.ts'
export type { Client } from './client-type.ts'
export { invalidateOnChange } from './invalidate-on-change.ts'
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  CreateOptions,
  GuardedOptions,
  PastOptions,
} from './option.ts'
export { etagOf } from './response.ts'
export type { ShapesOf } from './shapes-of.ts'
