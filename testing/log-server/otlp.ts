/** An OTLP receiver over HTTP for logs in JSON: it validates every field of a record. */
import { expectValid, isObject, type Protocol } from './aggregator.ts'

export interface OtlpProtocol extends Protocol {
  /** The records, with their attributes and those of their resource. */
  readonly records: {
    readonly resource: FlatAttributes
    readonly attributes: FlatAttributes
    readonly record: Record<string, unknown>
  }[]
}

type FlatAttributes = Readonly<Record<string, unknown>>

/** Records with this text in their body are rejected. */
export const rejectedText = 'unwanted'

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
    accept({ method, url, headers, body }) {
      expectValid(
        method === 'POST' && url.pathname === '/v1/logs',
        `${method} ${url.pathname} is not the logs endpoint`,
      )
      expectValid(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`)
      const lines: string[] = []
      let rejected = 0
      for (const { resource, record } of recordsIn(JSON.parse(body))) {
        const attributes = flat(record.attributes)
        checkRecord(record)
        const text = (record.body as { stringValue: string }).stringValue
        if (text.includes(rejectedText)) rejected++
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

function* recordsIn(document: unknown): Generator<{ resource: FlatAttributes; record: Record<string, unknown> }> {
  expectValid(isObject(document) && Array.isArray(document.resourceLogs), 'a request must have resourceLogs')
  for (const group of document.resourceLogs as unknown[]) {
    expectValid(
      isObject(group) && isObject(group.resource) && Array.isArray(group.scopeLogs),
      'a group must have scopeLogs',
    )
    const resource = flat(group.resource.attributes)
    expectValid(typeof resource['service.name'] === 'string', 'a resource must have a service.name')
    for (const scope of group.scopeLogs as unknown[]) {
      expectValid(isObject(scope) && Array.isArray(scope.logRecords), 'a scope must have logRecords')
      for (const record of scope.logRecords as unknown[]) {
        expectValid(isObject(record), 'a record must be an object')
        yield { resource, record }
      }
    }
  }
}

function checkRecord(record: Record<string, unknown>): void {
  for (const name of Object.keys(record)) expectValid(recordFields.has(name), `unknown field ${name}`)
  for (const name of ['timeUnixNano', 'observedTimeUnixNano'])
    expectValid(/^\d{19}$/.test(`${record[name]}`) && typeof record[name] === 'string', `${name} is ${record[name]}`)
  const { severityNumber, body } = record
  expectValid(
    Number.isInteger(severityNumber) && Number(severityNumber) >= 1 && Number(severityNumber) <= 24,
    'severity',
  )
  expectValid(isObject(body) && typeof body.stringValue === 'string', 'the body must be a text')
}

/** Attributes as an object. Each name must occur once, and each value must have exactly one type. */
function flat(attributes: unknown): FlatAttributes {
  expectValid(Array.isArray(attributes), 'attributes must be a list')
  const result: Record<string, unknown> = {}
  for (const attribute of attributes as unknown[]) {
    expectValid(
      isObject(attribute) && typeof attribute.key === 'string' && attribute.key !== '',
      'an attribute must have a key',
    )
    expectValid(!(attribute.key in result), `attribute ${attribute.key} occurs twice`)
    result[attribute.key] = plainValue(attribute.value)
  }
  return result
}

function plainValue(value: unknown): unknown {
  expectValid(
    isObject(value) && Object.keys(value).length === 1,
    `a value must have one type: ${JSON.stringify(value)}`,
  )
  const [type, inner] = Object.entries(value)[0] as [string, unknown]
  if (type === 'stringValue' && typeof inner === 'string') return inner
  if (type === 'intValue' && typeof inner === 'string' && /^-?\d+$/.test(inner)) return Number(inner)
  if (type === 'arrayValue' && isObject(inner) && Array.isArray(inner.values)) return inner.values.map(plainValue)
  return expectValid(false, `${type} is ${JSON.stringify(inner)}`)
}
