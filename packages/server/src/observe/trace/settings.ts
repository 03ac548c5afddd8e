/** What the usual variables of OpenTelemetry say of traces. */
import { type Sampler, samplerOf } from './sampler.ts'

export interface TraceSettings {
  /** Where spans are sent, by OTLP over HTTP as JSON. */
  readonly endpoint: string
  readonly headers?: { readonly [name: string]: string }
  /** What is known of the process, such as `deployment.environment.name`. */
  readonly attributes?: { readonly [name: string]: string }
  /** Every trace that nobody decided on is recorded where left out. */
  readonly sampler?: Sampler
  /** How long the receiver may take, how long spans wait for others, in milliseconds; how many wait at most. */
  readonly timeout?: number
  readonly delay?: number
  readonly queue?: number
}

interface Variables {
  readonly [name: string]: string | undefined
}

/** Undefined where no traces are wanted. Throws with what a person can fix. */
export function readTraceSettings(variables: Variables): TraceSettings | undefined {
  const text = (name: string) => variables[name]?.trim() || undefined
  const ofTraces = (name: string) => text(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? text(`OTEL_EXPORTER_OTLP_${name}`)
  const isOff = text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || text('OTEL_TRACES_EXPORTER') === 'none'
  const endpoint = endpointOf(text)
  if (isOff || endpoint === undefined) return undefined
  if (ofTraces('PROTOCOL') === 'grpc')
    throw new Error('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc". Give http/json, and the port for it, usually 4318.')
  return {
    endpoint,
    headers: pairs('OTEL_EXPORTER_OTLP_HEADERS', ofTraces('HEADERS')),
    attributes: {
      ...pairs('OTEL_RESOURCE_ATTRIBUTES', text('OTEL_RESOURCE_ATTRIBUTES')),
      ...(text('OTEL_SERVICE_NAME') && { 'service.name': `${text('OTEL_SERVICE_NAME')}` }),
    },
    sampler: samplerFrom(text),
    timeout: milliseconds('OTEL_EXPORTER_OTLP_TIMEOUT', ofTraces('TIMEOUT'), 10_000),
    delay: milliseconds('OTEL_BSP_SCHEDULE_DELAY', text('OTEL_BSP_SCHEDULE_DELAY'), 5000),
    queue: milliseconds('OTEL_BSP_MAX_QUEUE_SIZE', text('OTEL_BSP_MAX_QUEUE_SIZE'), 2048),
  }
}

type Text = (name: string) => string | undefined

/** The general address is that of a place below which there is one for each kind of signal. */
function endpointOf(text: Text): string | undefined {
  const own = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const shared = text('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/*$/, '/v1/traces')
  const endpoint = own ?? shared
  if (endpoint === undefined || (URL.canParse(endpoint) && /^https?:/.test(endpoint))) return endpoint
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  throw new Error(`${name} is "${text(name)}". Give an address such as http://localhost:4318.`)
}

function samplerFrom(text: Text): Sampler {
  const name = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const share = text('OTEL_TRACES_SAMPLER_ARG')
  const sampler = samplerOf(name, share)
  if (sampler) return sampler
  const given = `OTEL_TRACES_SAMPLER is "${name}"${share === undefined ? '' : `, its ARG "${share}"`}.`
  throw new Error(
    `${given} Give always_on, always_off or traceidratio with a share from 0 to 1, or parentbased_ before one.`,
  )
}

/** `name=value,name=value`, values percent-encoded. */
function pairs(variable: string, text = ''): Record<string, string> {
  const read = text.split(',').filter((part) => part.trim() !== '')
  return Object.fromEntries(
    read.map((part) => {
      const [, name, value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      try {
        if (name !== undefined) return [name, decodeURIComponent(value)]
      } catch {
        // Told below, without the value: it may be a secret.
      }
      throw new Error(`${variable} cannot be read. Give name=value, several with commas, percent-encoded.`)
    }),
  )
}

function milliseconds(variable: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${variable} is "${text}". Give a whole number above 0.`)
}
