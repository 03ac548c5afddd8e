/** Traces requests with the OpenTelemetry SDK that the process has registered. Without one there is no tracer. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, TracerProvider } from '@opentelemetry/api'
import type { RequestHead } from '../../message/request-head.ts'
import { ActiveSpan, type OpenTelemetry } from './active-span.ts'
import type { RequestTracer } from './span.ts'

const scopeName = '@nomen/server'

/** How long a close waits until the spans of the last requests are exported. */
const flushTimeoutMs = 2000

/** The provider of an SDK, or the proxy of the API in front of it. */
interface RegisteredProvider extends TracerProvider {
  getDelegate?(): TracerProvider
  forceFlush?(): Promise<void>
}

/** Where `@opentelemetry/api` keeps what an SDK has registered. */
const registrySymbol = Symbol.for('opentelemetry.js.api.1')

/** Undefined if `@opentelemetry/api` is not installed or no SDK is registered. */
export async function openTracer(): Promise<RequestTracer | undefined> {
  // Without this, every service would load the API at start.
  if (!(registrySymbol in globalThis)) return undefined
  const api = await import('@opentelemetry/api').catch(undefinedIfMissing)
  if (!api) return undefined
  const registeredProvider: RegisteredProvider = api.trace.getTracerProvider()
  const provider: RegisteredProvider = registeredProvider.getDelegate?.() ?? registeredProvider
  const isNoop = provider === new api.ProxyTracerProvider().getDelegate()
  return isNoop ? undefined : new OpenTelemetryTracer({ api, tracer: provider.getTracer(scopeName) }, provider)
}

class OpenTelemetryTracer implements RequestTracer {
  readonly #telemetry: OpenTelemetry
  readonly #provider: RegisteredProvider

  constructor(telemetry: OpenTelemetry, provider: RegisteredProvider) {
    this.#telemetry = telemetry
    this.#provider = provider
  }

  start({ headers, method }: RequestHead, route: string | undefined, startedAt: number): ActiveSpan {
    const { api, tracer } = this.#telemetry
    const active = api.context.active()
    // An instrumentation of the HTTP server has read the headers already.
    const isInner = api.trace.getSpan(active) !== undefined
    const parent: Context = isInner ? active : api.propagation.extract(active, headers)
    const clockOffset = Date.now() - performance.now()
    const options = {
      kind: isInner ? api.SpanKind.INTERNAL : api.SpanKind.SERVER,
      attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
      startTime: startedAt + clockOffset,
    }
    const span = tracer.startSpan(route === undefined ? method : `${method} ${route}`, options, parent)
    return new ActiveSpan(this.#telemetry, span, parent, clockOffset)
  }

  async flush(): Promise<void> {
    const flushed = new AbortController()
    const timeout = pause(flushTimeoutMs, undefined, { signal: flushed.signal })
    await Promise.race([this.#provider.forceFlush?.(), timeout]).catch(() => {})
    flushed.abort()
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
  throw error
}
