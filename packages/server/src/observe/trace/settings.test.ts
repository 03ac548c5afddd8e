import { describe, expect, it } from 'vitest'
import { samplerOf } from './sampler.ts'
import { readTraceSettings } from './settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

describe('the settings of traces', () => {
  it('are none where no endpoint is named, or it is switched off', () => {
    expect(readTraceSettings({})).toBeUndefined()
    expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeUndefined()
    expect(readTraceSettings({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined()
    expect(readTraceSettings({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  })

  it('take the place for traces below the general endpoint, and one of their own as it is', () => {
    expect(readTraceSettings(endpoint)?.endpoint).toBe('http://collector:4318/v1/traces')
    const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in' }
    expect(readTraceSettings(own)?.endpoint).toBe('https://traces.example.com/in')
  })

  it('read headers, attributes and the name of the service', () => {
    const settings = readTraceSettings({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant = one',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_SERVICE_NAME: 'desk',
    })
    expect(settings?.headers).toEqual({ authorization: 'Bearer a=b', 'x-tenant': 'one' })
    expect(settings?.attributes).toEqual({ 'deployment.environment.name': 'test', 'service.name': 'desk' })
    const own = readTraceSettings({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2',
    })
    expect(own?.headers).toEqual({ b: '2' })
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318"'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"'],
    [{ ...endpoint, OTEL_TRACES_SAMPLER: 'some' }, 'OTEL_TRACES_SAMPLER is "some".'],
    [{ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'its ARG "2"'],
    [{ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: '5s' }, 'OTEL_BSP_SCHEDULE_DELAY is "5s"'],
  ])('refuse what cannot be meant: %j', (variables, message) => {
    expect(() => readTraceSettings(variables)).toThrow(message)
  })

  it('tell no secret of headers that cannot be read', () => {
    const given = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret%' }
    expect(() => readTraceSettings(given)).toThrow(/^(?!.*secret).*OTEL_EXPORTER_OTLP_HEADERS cannot be read/)
  })
})

describe('a sampler', () => {
  const parent = (isSampled: boolean) => ({ traceId: 'a', spanId: 'b', isSampled })

  it.each([
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ])('%s decides by itself or by its parent', (name, alone, ofSampled, ofOther) => {
    const sampler = samplerOf(name, undefined)
    expect([undefined, parent(true), parent(false)].map((one) => sampler?.('a', one))).toEqual([
      alone,
      ofSampled,
      ofOther,
    ])
  })

  it('records a share of the traces, the same ones everywhere', () => {
    const sampler = samplerOf('traceidratio', '0.25')
    const share = [0, 1, 2, 3, 4, 5, 6, 7].map((digit) =>
      sampler?.(`${'0'.repeat(19)}${(digit * 2).toString(16)}${'0'.repeat(12)}`, undefined),
    )
    expect(share).toEqual([true, true, false, false, false, false, false, false])
    expect(samplerOf('traceidratio', '0')?.('0'.repeat(32), undefined)).toBe(false)
    expect(samplerOf('traceidratio', '1')?.('f'.repeat(32), undefined)).toBe(true)
  })
})
