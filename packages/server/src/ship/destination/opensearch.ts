/** Ships lines to the bulk API of OpenSearch and Elasticsearch. Each line has a stable ID, so that a retry makes no duplicates. */

import type { LogLine } from '../batch.ts'
import { ShipError } from '../destination-url.ts'
import { attributesOf, type LineRecord, recordsOf } from '../record.ts'
import { digest } from '../tail/found-file.ts'
import { type Delivery, type Destination, failedDelivery, type LogOrigin } from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** The parts of the response that are needed; it has an item for every document. */
const filterPath = 'errors,items.*.status,items.*.error.type,items.*.error.reason'

export function openSearch(redactedUrl: string, options: PostOptions, origin: LogOrigin): Destination {
  const url = new URL(options.url)
  if (!/^\/([^/]+\/)*[^/]+$/.test(url.pathname))
    throw new ShipError(
      `${redactedUrl} has no index.`,
      'Add the index to the URL, such as opensearch+http://host:9200/access-log.',
    )
  url.pathname += '/_bulk'
  url.searchParams.set('filter_path', filterPath)
  const post = new Post({ ...options, url })
  return {
    redactedUrl,
    async send({ key, lines }, signal) {
      const records = recordsOf(lines)
      const entries = lines.map(({ offset, text }, index) => {
        // `create` also works for data streams, and rejects a document that already exists.
        const action = JSON.stringify({ create: { _id: digest(`${origin.instance}\n${key}\n${offset}\n${text}`) } })
        return `${action}\n${JSON.stringify(documentOf(records[index] as LineRecord, origin))}\n`
      })
      const response = await post.send(entries.join(''), 'application/x-ndjson', signal)
      return 'status' in response ? itemsOf(response.text, lines, redactedUrl) : failedDelivery(lines, response)
    },
    close: () => post.close(),
  }
}

function documentOf(record: LineRecord, origin: LogOrigin): object {
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

interface BulkResponse {
  readonly errors?: boolean
  readonly items?: readonly Readonly<Record<string, BulkItem>>[]
}

/** The result of each document: stored, to be sent again, or rejected permanently. */
function itemsOf(text: string, lines: readonly LogLine[], redactedUrl: string): Delivery {
  const { errors, items } = readResponse(text)
  if (errors === false) return { unsent: [], rejected: 0 }
  if (items?.length !== lines.length)
    return failedDelivery(lines, {
      kind: 'unavailable',
      reason: `${redactedUrl} did not return a bulk API response: ${shortened(text)}`,
    })
  const unsent: LogLine[] = []
  const reasons: string[] = []
  const rejections: string[] = []
  lines.forEach((line, index) => {
    const { status = 0, error } = Object.values(items[index] ?? {})[0] ?? {}
    // 409: the line was stored by an earlier request whose response was lost.
    if ((status >= 200 && status < 300) || status === 409) return
    const reason = shortened(`${status} ${error?.type ?? ''}: ${error?.reason ?? ''}`)
    if (status === 429 || status >= 500 || status === 0) {
      unsent.push(line)
      reasons.push(reason)
    } else rejections.push(reason)
  })
  const [rejectReason] = rejections
  return {
    unsent,
    rejected: rejections.length,
    ...(rejectReason !== undefined && { rejectReason }),
    ...(unsent.length > 0 && {
      failure: { kind: 'unavailable', reason: `${redactedUrl} did not accept ${unsent.length} lines: ${reasons[0]}` },
    }),
  }
}

function readResponse(text: string): BulkResponse {
  try {
    return (JSON.parse(text) ?? {}) as BulkResponse
  } catch {
    return {}
  }
}
