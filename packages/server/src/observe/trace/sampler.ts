/** Which traces are recorded: `OTEL_TRACES_SAMPLER`, as OpenTelemetry names them. */
import type { TraceContext } from './context.ts'

/** Whether a new part of a trace is recorded; the parent is who has asked, where it said. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean

/** Undefined for a name that is none, or a share that is not from 0 to 1. */
export function samplerOf(name: string, share: string | undefined): Sampler | undefined {
  const [, isByParent, root = ''] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  const sampler = rootSampler(root, share)
  if (!sampler || !isByParent) return sampler
  return (traceId, parent) => parent?.isSampled ?? sampler(traceId, parent)
}

function rootSampler(name: string, share = '1'): Sampler | undefined {
  if (name === 'always_on') return () => true
  if (name === 'always_off') return () => false
  if (name !== 'traceidratio' || !(Number(share) >= 0 && Number(share) <= 1)) return undefined
  // By the identity, so that everyone who records a share of traces records the same ones.
  const bound = Number(share) * 2 ** 52
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < bound
}
