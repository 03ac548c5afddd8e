/** The entry point of @nomen/core/usage: API usage by calling application, from access logs or from counts of a service. */
export { type Caller, type CallerKind, callerByAgent, callerOf, others } from './caller.ts'
export { type Endpoint, EndpointTree, endpointOf, pagesOf } from './endpoint.ts'
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
