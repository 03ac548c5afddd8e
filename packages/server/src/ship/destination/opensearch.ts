/** Ships lines as documents, by the bulk API of OpenSearch (and Elasticsearch): each with an id that is its own for ever. */

import { ShipError } from '../address.ts'
import type { LogLine } from '../batch.ts'
import { attributesOf, type LineRecord, recordsOf } from '../record.ts'
import { digest } from '../tail/found-file.ts'
import { type Delivery, type Destination, failed, type Origin } from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** What is needed of an answer that has an item for every document. */
const needed = 'errors,items.*.status,items.*.error.type,items.*.error.reason'

export function openSearch(shown: string, options: PostOptions, origin: Origin): Destination {
  const url = new URL(options.url)
  if (!/^\/([^/]+\/)*[^/]+$/.test(url.pathname))
    throw new ShipError(
      `${shown} names no index.`,
      'Put it behind the host, such as opensearch+http://host:9200/access-log.',
    )
  url.pathname += '/_bulk'
  url.searchParams.set('filter_path', needed)
  const post = new Post({ ...options, url })
  return {
    shown,
    async send({ key, lines }, signal) {
      const records = recordsOf(lines)
      const parts = lines.map(({ at, text }, index) => {
        // `create` fits data streams as well, and refuses a document that is there already
        const action = JSON.stringify({ create: { _id: digest(`${origin.instance}\n${key}\n${at}\n${text}`) } })
        return `${action}\n${JSON.stringify(documentOf(records[index] as LineRecord, origin))}\n`
      })
      const answer = await post.send(parts.join(''), 'application/x-ndjson', signal)
      return 'status' in answer ? itemsOf(answer.text, lines, shown) : failed(lines, answer)
    },
    close: () => post.close(),
  }
}

function documentOf(record: LineRecord, origin: Origin): object {
  return {
    '@timestamp': new Date(record.time).toISOString(),
    message: record.text,
    'log.level': record.severity,
    'service.name': origin.service,
    'service.instance.id': origin.instance,
    ...origin.labels,
    ...attributesOf(record, origin),
  }
}

interface BulkItem {
  readonly status?: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

interface BulkAnswer {
  readonly errors?: boolean
  readonly items?: readonly Readonly<Record<string, BulkItem>>[]
}

/** What became of each document: there, to be sent again, or never to be taken. */
function itemsOf(text: string, lines: readonly LogLine[], shown: string): Delivery {
  const { errors, items } = readAnswer(text)
  if (errors === false) return { left: [], rejected: 0 }
  if (items?.length !== lines.length)
    return failed(lines, { kind: 'away', reason: `${shown} gives no answer of the bulk API: ${shortened(text)}` })
  const left: LogLine[] = []
  const reasons: string[] = []
  const rejections: string[] = []
  lines.forEach((line, index) => {
    const { status = 0, error } = Object.values(items[index] ?? {})[0] ?? {}
    // 409: it was sent before, and the answer was lost
    if ((status >= 200 && status < 300) || status === 409) return
    const reason = shortened(`${status} ${error?.type ?? ''}: ${error?.reason ?? ''}`)
    if (status === 429 || status >= 500 || status === 0) {
      left.push(line)
      reasons.push(reason)
    } else rejections.push(reason)
  })
  const [rejectReason] = rejections
  return {
    left,
    rejected: rejections.length,
    ...(rejectReason !== undefined && { rejectReason }),
    ...(left.length > 0 && {
      trouble: { kind: 'away', reason: `${shown} did not take ${left.length} lines: ${reasons[0]}` },
    }),
  }
}

function readAnswer(text: string): BulkAnswer {
  try {
    return (JSON.parse(text) ?? {}) as BulkAnswer
  } catch {
    return {}
  }
}
