/** Ships lines as OpenTelemetry log records, with OTLP over HTTP and JSON. */

import { type Attributes, attributesOf, type LineRecord, recordsOf, type Severity } from '../record.ts'
import { type Delivery, type Destination, failedDelivery, type LogOrigin, successfulDelivery } from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** The path for logs, if the URL has none. */
const logsPath = '/v1/logs'

const severityNumbers: Readonly<Record<Severity, number>> = { INFO: 9, WARN: 13, ERROR: 17 }

export function otlp(redactedUrl: string, options: PostOptions, origin: LogOrigin): Destination {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = logsPath
  const post = new Post({ ...options, url })
  const resource = {
    attributes: attributeList({
      'service.name': origin.service,
      'service.instance.id': origin.instance,
      ...origin.labels,
    }),
  }
  return {
    redactedUrl,
    async send({ key, lines }, signal) {
      const observedTime = `${Date.now()}000000`
      const logRecords = recordsOf(lines).map((record, index) =>
        logRecord(record, origin, `${key}-${lines[index]?.offset}`, observedTime),
      )
      const scopeLogs = [{ scope: { name: 'nomen.access-log' }, logRecords }]
      const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] })
      const response = await post.send(body, 'application/json', signal)
      return 'status' in response ? partialDelivery(response.text, lines.length) : failedDelivery(lines, response)
    },
    close: () => post.close(),
  }
}

function logRecord(record: LineRecord, origin: LogOrigin, uid: string, observedTime: string): object {
  return {
    timeUnixNano: record.nanoseconds,
    observedTimeUnixNano: observedTime,
    severityNumber: severityNumbers[record.severity],
    severityText: record.severity,
    body: { stringValue: record.text },
    // Stable, so that a line that is sent twice can be recognized.
    attributes: attributeList({ ...attributesOf(record, origin), 'log.record.uid': uid }),
  }
}

function attributeList(attributes: Attributes): object[] {
  const list: object[] = []
  // A plain loop, because this is the most expensive part per line.
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) list.push({ key, value: typedValue(key, value) })
  }
  return list
}

/** In OTLP JSON, request headers are arrays, and integers are strings. */
function typedValue(key: string, value: string | number): object {
  if (typeof value === 'number') return { intValue: `${value}` }
  const attributeValue = { stringValue: value }
  return key.startsWith('http.request.header.') ? { arrayValue: { values: [attributeValue] } } : attributeValue
}

/** A collector may accept only some records. The rejected ones must not be sent again. */
function partialDelivery(text: string, numberOfLines: number): Delivery {
  const { partialSuccess } = readResponse(text)
  const rejected = Math.min(numberOfLines, Number(partialSuccess?.rejectedLogRecords ?? 0))
  return rejected > 0
    ? successfulDelivery(rejected, shortened(`${partialSuccess?.errorMessage ?? ''}`))
    : successfulDelivery()
}

interface OtlpResponse {
  readonly partialSuccess?: { readonly rejectedLogRecords?: string | number; readonly errorMessage?: string }
}

function readResponse(text: string): OtlpResponse {
  try {
    return (JSON.parse(text) ?? {}) as OtlpResponse
  } catch {
    // A proxy may respond without a body.
    return {}
  }
}
