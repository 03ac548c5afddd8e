/** The public door of @nomen/core/client: calls of a service that cannot be made wrongly. */
export type { Envelope, PageInfo } from '../wire/page.ts'
export type { FieldError } from '../wire/problem.ts'
export { ProblemError } from '../wire/problem-error.ts'
export { etagOf } from './answer.ts'
export { client } from './client.ts'
export type { CallOptions, ChangeOptions, ClientOptions, CreateOptions, GuardedOptions } from './client-option.ts'
export type { Client } from './client-type.ts'
export type { ShapesOf } from './shapes-of.ts'
