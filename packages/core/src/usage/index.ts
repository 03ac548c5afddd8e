/** The public door of @nomen/core/usage: who calls what, from access logs. */
export type { Endpoint } from './endpoint.ts'
export { LineReader } from './line-reader.ts'
export { type CallerReport, type EndpointReport, type UsageReport, usageReport, type Verdict } from './report.ts'
export type { Caller, CallerKind } from './tally.ts'
