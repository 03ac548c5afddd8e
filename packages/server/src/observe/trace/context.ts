/** The place of a request in a trace, as W3C Trace Context has it: written and read here. */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined for what is no traceparent. Those of versions to come are read as far as they are known. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof text === 'string' && form.exec(text)) || []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(`${flags}`, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
