/** Loki's push API as Loki itself does it: what it asks of a request, what it takes, what it says of single entries. */
import { demand, isObject, type Protocol } from './aggregator.ts'

const hour = 3_600_000
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/

export interface LokiProtocol extends Protocol {
  /** The streams that there are, by their labels. */
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
    take({ method, url, headers, body }) {
      demand(method === 'POST' && url.pathname === '/loki/api/v1/push', `${method} ${url.pathname} is not the push API`)
      demand(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`)
      const document: unknown = JSON.parse(body)
      demand(isObject(document) && Array.isArray(document.streams), 'a push has streams')
      const lines: string[] = []
      const refused: string[] = []
      for (const one of document.streams as unknown[]) {
        demand(isObject(one) && isObject(one.stream) && Array.isArray(one.values), 'a stream has labels and values')
        const labels = labelsOf(one.stream)
        const stream = streams.get(labels) ?? { entries: new Set(), newest: 0 }
        streams.set(labels, stream)
        for (const value of one.values as unknown[]) {
          const [stamp, line] = entryOf(value)
          const fault = faultOf(stamp, line, stream)
          if (fault) refused.push(`entry for stream '${labels}' ${fault}`)
          else {
            // the same line of the same moment is one entry
            stream.entries.add(`${stamp} ${line}`)
            stream.newest = Math.max(stream.newest, Number(stamp) / 1e6)
            lines.push(line)
          }
        }
      }
      if (refused.length === 0) return { reply: { status: 204 }, lines }
      const text = refused.length === 1 ? refused[0] : `${refused.length} errors like: ${refused[0]}`
      return {
        reply: { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` },
        lines,
      }
    },
  }
}

function labelsOf(stream: Record<string, unknown>): string {
  const labels = Object.entries(stream)
  demand(labels.length > 0 && labels.length <= 15, `a stream has 1 to 15 labels, not ${labels.length}`)
  for (const [name, value] of labels) {
    demand(labelName.test(name), `"${name}" is no name of a label`)
    demand(typeof value === 'string' && value.length <= 2048, `label ${name} has no text`)
  }
  return JSON.stringify(labels.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function entryOf(value: unknown): readonly [string, string] {
  demand(Array.isArray(value) && value.length >= 2, 'an entry has a time and a line')
  const [stamp, line] = value as unknown[]
  demand(typeof stamp === 'string' && /^\d{19}$/.test(stamp), `${stamp} is no time in nanoseconds`)
  demand(typeof line === 'string', 'a line is a text')
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
