/** The bulk API of OpenSearch: lines of actions and documents, an item for each, ids that are taken once. */
import { demand, isObject, type Protocol } from './aggregator.ts'

export interface OpenSearchProtocol extends Protocol {
  readonly documents: Map<string, Readonly<Record<string, unknown>>>
  /** How many documents are refused with 429, one by one, before all are taken. */
  busy: number
}

/** A document with this in its message does not fit the mapping. */
export const unfit = 'unfit'

interface Item {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

export function openSearchProtocol(index = 'access-log'): OpenSearchProtocol {
  const documents: OpenSearchProtocol['documents'] = new Map()
  const protocol: OpenSearchProtocol = {
    scheme: 'opensearch+http',
    path: `/${index}`,
    documents,
    busy: 0,
    take({ method, url, headers, body }) {
      demand(method === 'POST' && url.pathname === `/${index}/_bulk`, `${method} ${url.pathname} is not the bulk API`)
      const type = headers['content-type']
      demand(type === 'application/x-ndjson' || type === 'application/json', `content-type ${type}`)
      demand(body.endsWith('\n'), 'The bulk request must be terminated by a newline [\\n]')
      const parts = body.slice(0, -1).split('\n')
      demand(parts.length % 2 === 0, 'every action has a document')
      const lines: string[] = []
      const items: { readonly create: Item }[] = []
      for (let at = 0; at < parts.length; at += 2) {
        const [action, document] = [JSON.parse(parts[at] as string), JSON.parse(parts[at + 1] as string)]
        demand(isObject(action.create), `the action is ${parts[at]}`)
        const id = `${action.create._id}`
        demand(id.length > 0 && id.length <= 512, `the id is ${id}`)
        demand(
          isObject(document) && !Number.isNaN(Date.parse(`${document['@timestamp']}`)),
          'a document has a @timestamp',
        )
        const item = create(id, document)
        items.push({ create: item })
        if (item.status === 201) lines.push(`${document.message}`)
      }
      const errors = items.some(({ create: { status } }) => status >= 400)
      const filtered = url.searchParams.get('filter_path')?.split(',') ?? []
      demand(
        filtered.includes('errors') && filtered.includes('items.*.status'),
        'the answer would be larger than needed',
      )
      return {
        reply: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ errors, items }),
        },
        lines,
      }
    },
  }

  const create = (id: string, document: Record<string, unknown>): Item => {
    if (protocol.busy > 0) {
      protocol.busy--
      return {
        status: 429,
        error: { type: 'rejected_execution_exception', reason: 'rejected execution of coordinating operation' },
      }
    }
    if (`${document.message}`.includes(unfit))
      return { status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse field [message]' } }
    if (documents.has(id))
      return { status: 409, error: { type: 'version_conflict_engine_exception', reason: `[${id}]: version conflict` } }
    documents.set(id, document)
    return { status: 201 }
  }
  return protocol
}
