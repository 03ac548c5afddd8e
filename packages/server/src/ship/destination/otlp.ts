/** Ships lines as OpenTelemetry's log records, by OTLP over HTTP in its JSON form. */

import { type Attributes, attributesOf, type LineRecord, recordsOf, type Severity } from '../record.ts'
import { type Delivery, type Destination, delivered, failed, type Origin } from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** The path of logs, unless the address has one. */
const logsPath = '/v1/logs'

const severityNumbers: Readonly<Record<Severity, number>> = { INFO: 9, WARN: 13, ERROR: 17 }

export function otlp(shown: string, options: PostOptions, origin: Origin): Destination {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = logsPath
  const post = new Post({ ...options, url })
  const known = { 'service.name': origin.service, 'service.instance.id': origin.instance, ...origin.labels }
  const resource = { attributes: attributesIn(known) }
  return {
    shown,
    async send({ key, lines }, signal) {
      const observed = `${Date.now()}000000`
      const logRecords = recordsOf(lines).map((record, index) =>
        logRecord(record, origin, `${key}-${lines[index]?.at}`, observed),
      )
      const scopeLogs = [{ scope: { name: 'nomen.access-log' }, logRecords }]
      const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] })
      const answer = await post.send(body, 'application/json', signal)
      return 'status' in answer ? partial(answer.text, lines.length) : failed(lines, answer)
    },
    close: () => post.close(),
  }
}

function logRecord(record: LineRecord, origin: Origin, uid: string, observed: string): object {
  return {
    timeUnixNano: record.nanoseconds,
    observedTimeUnixNano: observed,
    severityNumber: severityNumbers[record.severity],
    severityText: record.severity,
    body: { stringValue: record.text },
    // the same for a line that is sent twice
    attributes: attributesIn({ ...attributesOf(record, origin), 'log.record.uid': uid }),
  }
}

function attributesIn(attributes: Attributes): object[] {
  const list: object[] = []
  // a plain loop, since this is most of what a line costs
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) list.push({ key, value: typed(key, value) })
  }
  return list
}

/** The headers of a request are lists, and whole numbers are texts in this form. */
function typed(key: string, value: string | number): object {
  if (typeof value === 'number') return { intValue: `${value}` }
  const single = { stringValue: value }
  return key.startsWith('http.request.header.') ? { arrayValue: { values: [single] } } : single
}

/** A collector may take some records only. It must not be sent the others again. */
function partial(text: string, most: number): Delivery {
  const { partialSuccess } = readAnswer(text)
  const rejected = Math.min(most, Number(partialSuccess?.rejectedLogRecords ?? 0))
  return rejected > 0 ? delivered(rejected, shortened(`${partialSuccess?.errorMessage ?? ''}`)) : delivered()
}

interface OtlpAnswer {
  readonly partialSuccess?: { readonly rejectedLogRecords?: string | number; readonly errorMessage?: string }
}

function readAnswer(text: string): OtlpAnswer {
  try {
    return (JSON.parse(text) ?? {}) as OtlpAnswer
  } catch {
    // a proxy in between may answer without a body
    return {}
  }
}
