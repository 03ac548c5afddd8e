/** The public door of @nomen/core/usage: who calls what, from access logs and from what a service has counted. */
export { type Caller, type CallerKind, callerByAgent, callerOf, others } from './caller.ts'
export { type Endpoint, EndpointTree, endpointOf } from './endpoint.ts'
export { LineReader } from './line-reader.ts'
export {
  type CallerReport,
  type EndpointReport,
  endpointReport,
  type UsageReport,
  type UsageWindow,
  usageReport,
  usageWindow,
  type Verdict,
} from './report.ts'
export { type CallerDay, RollupReader } from './rollup.ts'
export type { Span } from './tally.ts'
