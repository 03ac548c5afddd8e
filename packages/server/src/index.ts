/** `@nomen/server`: what a service file imports, and `open` to run it. */

export type { JwtSettings } from './auth/jwt-settings.ts'
export { atLeast, before, between } from './define/bounds.ts'
export type { Caller } from './define/caller.ts'
export { type CallerNoun, callerNoun } from './define/caller-noun.ts'
export { type Computation, type ComputeOptions, compute } from './define/compute.ts'
export { type Service, type ServiceOptions, service } from './define/definition.ts'
export { type FilterDefinition, filter } from './define/filter.ts'
export { type Asked, type Handler, handle, type InProcess, type RunTransaction } from './define/handle.ts'
export { after, type Change, type Hook } from './define/hook.ts'
export { type Rule, rule } from './define/rule.ts'
export { type Visibility, visible, visibleTarget } from './define/visibility.ts'
export type { TrustProxy } from './http/admit/client-address.ts'
export type { Fetch } from './http/fetch-adapter.ts'
export type { Timeouts } from './http/node/node-server.ts'
export {
  type ApplicationLog,
  type ApplicationLogOptions,
  applicationLog,
  type LogFields,
  type LogLevel,
} from './observe/application-log.ts'
export type { MetricFamily } from './observe/metrics/registry.ts'
export { type OpenService, open } from './service.ts'
export type { Settings } from './settings.ts'
export { DatabaseError } from './store/database-error.ts'
export { MigrationError } from './store/migrate/error.ts'
export type { Breach } from './store/outcome.ts'
export type { RateLimit } from './store/rate-limit.ts'
export type { LoadPart } from './store/store.ts'
