/** A collector's receiver of OTLP over HTTP for logs, in JSON: it checks every field that a record may have. */
import { demand, isObject, type Protocol } from './aggregator.ts'

export interface OtlpProtocol extends Protocol {
  /** The records, with their attributes and those of their resource. */
  readonly records: { readonly resource: Flat; readonly attributes: Flat; readonly record: Record<string, unknown> }[]
}

type Flat = Readonly<Record<string, unknown>>

/** Records whose body holds this are not taken. */
export const unwanted = 'unwanted'

const recordFields = new Set([
  ...['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body', 'attributes'],
  ...['droppedAttributesCount', 'flags', 'traceId', 'spanId', 'eventName'],
])

export function otlpProtocol(): OtlpProtocol {
  const records: OtlpProtocol['records'] = []
  return {
    scheme: 'otlp+http',
    path: '',
    records,
    take({ method, url, headers, body }) {
      demand(method === 'POST' && url.pathname === '/v1/logs', `${method} ${url.pathname} is not where logs go`)
      demand(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`)
      const lines: string[] = []
      let rejected = 0
      for (const { resource, record } of recordsIn(JSON.parse(body))) {
        const attributes = flat(record.attributes)
        checkRecord(record)
        const text = (record.body as { stringValue: string }).stringValue
        if (text.includes(unwanted)) rejected++
        else {
          lines.push(text)
          records.push({ resource, attributes, record })
        }
      }
      const partialSuccess = rejected > 0 ? { rejectedLogRecords: `${rejected}`, errorMessage: 'not wanted here' } : {}
      const reply = {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ partialSuccess }),
      }
      return { reply, lines }
    },
  }
}

function* recordsIn(document: unknown): Generator<{ resource: Flat; record: Record<string, unknown> }> {
  demand(isObject(document) && Array.isArray(document.resourceLogs), 'a request has resourceLogs')
  for (const group of document.resourceLogs as unknown[]) {
    demand(isObject(group) && isObject(group.resource) && Array.isArray(group.scopeLogs), 'a group has scopeLogs')
    const resource = flat(group.resource.attributes)
    demand(typeof resource['service.name'] === 'string', 'a resource has a service.name')
    for (const scope of group.scopeLogs as unknown[]) {
      demand(isObject(scope) && Array.isArray(scope.logRecords), 'a scope has logRecords')
      for (const record of scope.logRecords as unknown[]) {
        demand(isObject(record), 'a record is an object')
        yield { resource, record }
      }
    }
  }
}

function checkRecord(record: Record<string, unknown>): void {
  for (const name of Object.keys(record)) demand(recordFields.has(name), `a record has no ${name}`)
  for (const name of ['timeUnixNano', 'observedTimeUnixNano'])
    demand(/^\d{19}$/.test(`${record[name]}`) && typeof record[name] === 'string', `${name} is ${record[name]}`)
  const { severityNumber, body } = record
  demand(Number.isInteger(severityNumber) && Number(severityNumber) >= 1 && Number(severityNumber) <= 24, 'severity')
  demand(isObject(body) && typeof body.stringValue === 'string', 'the body is a text')
}

/** Attributes as an object; each name once, each value of exactly one type. */
function flat(attributes: unknown): Flat {
  demand(Array.isArray(attributes), 'attributes are a list')
  const found: Record<string, unknown> = {}
  for (const one of attributes as unknown[]) {
    demand(isObject(one) && typeof one.key === 'string' && one.key !== '', 'an attribute has a key')
    demand(!(one.key in found), `attribute ${one.key} comes twice`)
    found[one.key] = plain(one.value)
  }
  return found
}

function plain(value: unknown): unknown {
  demand(isObject(value) && Object.keys(value).length === 1, `a value has one type: ${JSON.stringify(value)}`)
  const [type, inner] = Object.entries(value)[0] as [string, unknown]
  if (type === 'stringValue' && typeof inner === 'string') return inner
  if (type === 'intValue' && typeof inner === 'string' && /^-?\d+$/.test(inner)) return Number(inner)
  if (type === 'arrayValue' && isObject(inner) && Array.isArray(inner.values)) return inner.values.map(plain)
  return demand(false, `${type} is ${JSON.stringify(inner)}`)
}
