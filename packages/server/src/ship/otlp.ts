/** Ships lines as OpenTelemetry's log records, by OTLP over HTTP in its JSON form. */
import { type Delivery, type Destination, delivered, failed, type Origin } from './destination.ts'
import { digest } from './found-file.ts'
import { Post, type PostOptions, shortened } from './post.ts'
import { type Attributes, type LineRecord, recordsOf, type Severity } from './record.ts'

/** The path of logs, unless the address has one. */
const logsPath = '/v1/logs'

const severityNumbers: Readonly<Record<Severity, number>> = { INFO: 9, WARN: 13, ERROR: 17 }

export function otlp(shown: string, options: PostOptions, origin: Origin): Destination {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = logsPath
  const post = new Post({ ...options, url })
  const resource = {
    attributes: attributesIn({
      'service.name': origin.service,
      'service.instance.id': origin.instance,
      ...origin.labels,
    }),
  }
  return {
    shown,
    async send({ key, lines }, signal) {
      const observed = `${Date.now()}000000`
      const records = recordsOf(lines, origin)
      const logRecords = lines.map(({ at }, index) => ({
        ...logRecord(records[index] as LineRecord, `${key}-${at}`),
        observedTimeUnixNano: observed,
      }))
      const body = { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'nomen.access-log' }, logRecords }] }] }
      const answer = await post.send(JSON.stringify(body), 'application/json', signal)
      return 'status' in answer ? partial(answer.text, lines.length) : failed(lines, answer)
    },
    close: () => post.close(),
  }
}

function logRecord({ nanoseconds, severity, text, attributes }: LineRecord, place: string): object {
  return {
    timeUnixNano: nanoseconds,
    severityNumber: severityNumbers[severity],
    severityText: severity,
    body: { stringValue: text },
    // the same for a line that is sent twice
    attributes: attributesIn({ ...attributes, 'log.record.uid': digest(place, text) }),
  }
}

function attributesIn(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return []
    // the headers of a request are lists, and whole numbers are texts in this form
    if (key.startsWith('http.request.header.'))
      return [{ key, value: { arrayValue: { values: [{ stringValue: `${value}` }] } } }]
    return [{ key, value: typeof value === 'number' ? { intValue: `${value}` } : { stringValue: value } }]
  })
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
