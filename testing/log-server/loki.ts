/** The push API of Loki: validates requests, accepts entries, and rejects single entries like Loki. */
import { expectValid, isObject, type Protocol } from './aggregator.ts'

const hour = 3_600_000
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/

export interface LokiProtocol extends Protocol {
  /** The streams, by their labels. */
  readonly streams: Map<string, Stream>
}

interface Stream {
  readonly entries: Set<string>
  newest: number
}

export function lokiProtocol(): LokiProtocol {
  const streams = new Map<string, Stream>()
  return {
    scheme: 'loki+http',
    path: '',
    streams,
    accept({ method, url, headers, body }) {
      expectValid(
        method === 'POST' && url.pathname === '/loki/api/v1/push',
        `${method} ${url.pathname} is not the push API`,
      )
      expectValid(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`)
      const document: unknown = JSON.parse(body)
      expectValid(isObject(document) && Array.isArray(document.streams), 'a push must have streams')
      const lines: string[] = []
      const faults: string[] = []
      for (const item of document.streams as unknown[]) {
        expectValid(
          isObject(item) && isObject(item.stream) && Array.isArray(item.values),
          'a stream must have labels and values',
        )
        const labels = labelsOf(item.stream)
        const stream = streams.get(labels) ?? { entries: new Set(), newest: 0 }
        streams.set(labels, stream)
        for (const value of item.values as unknown[]) {
          const [stamp, line] = entryOf(value)
          const fault = faultOf(stamp, line, stream)
          if (fault) faults.push(`entry for stream '${labels}' ${fault}`)
          else {
            // The same line with the same time is one entry.
            stream.entries.add(`${stamp} ${line}`)
            stream.newest = Math.max(stream.newest, Number(stamp) / 1e6)
            lines.push(line)
          }
        }
      }
      if (faults.length === 0) return { reply: { status: 204 }, lines }
      const text = faults.length === 1 ? faults[0] : `${faults.length} errors like: ${faults[0]}`
      return {
        reply: { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` },
        lines,
      }
    },
  }
}

function labelsOf(stream: Record<string, unknown>): string {
  const labels = Object.entries(stream)
  expectValid(labels.length > 0 && labels.length <= 15, `a stream must have 1 to 15 labels, not ${labels.length}`)
  for (const [name, value] of labels) {
    expectValid(labelName.test(name), `"${name}" is not a valid label name`)
    expectValid(typeof value === 'string' && value.length <= 2048, `label ${name} must be a text`)
  }
  return JSON.stringify(labels.toSorted(([first], [second]) => (first < second ? -1 : 1)))
}

function entryOf(value: unknown): readonly [string, string] {
  expectValid(Array.isArray(value) && value.length >= 2, 'an entry must have a time and a line')
  const [stamp, line] = value as unknown[]
  expectValid(typeof stamp === 'string' && /^\d{19}$/.test(stamp), `${stamp} is not a time in nanoseconds`)
  expectValid(typeof line === 'string', 'a line must be a text')
  return [stamp, line]
}

function faultOf(stamp: string, line: string, { newest }: Stream): string | undefined {
  const time = Number(stamp) / 1e6
  if (time < Date.now() - 168 * hour) return `has timestamp too old: ${new Date(time).toISOString()}`
  if (time > Date.now() + hour / 6) return `has timestamp too new: ${new Date(time).toISOString()}`
  if (time < newest - hour) return "ignored, reason: 'entry too far behind'"
  if (line.length > 256 * 1024) return 'max entry size exceeded'
  return undefined
}
