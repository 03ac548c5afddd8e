/** The bulk API of OpenSearch: pairs of actions and documents, one item for each, unique ids. */
import { expectValid, isObject, type Protocol } from './aggregator.ts'

export interface OpenSearchProtocol extends Protocol {
  readonly documents: Map<string, Readonly<Record<string, unknown>>>
  /** The number of documents to reject with 429 before all are accepted. */
  busyDocuments: number
}

/** A document with this text in its message does not match the mapping. */
export const invalidText = 'unfit'

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
    busyDocuments: 0,
    accept({ method, url, headers, body }) {
      expectValid(
        method === 'POST' && url.pathname === `/${index}/_bulk`,
        `${method} ${url.pathname} is not the bulk API`,
      )
      const type = headers['content-type']
      expectValid(type === 'application/x-ndjson' || type === 'application/json', `content-type ${type}`)
      expectValid(body.endsWith('\n'), 'The bulk request must be terminated by a newline [\\n]')
      const parts = body.slice(0, -1).split('\n')
      expectValid(parts.length % 2 === 0, 'every action must have a document')
      const lines: string[] = []
      const items: { readonly create: Item }[] = []
      for (let index = 0; index < parts.length; index += 2) {
        const [action, document] = [JSON.parse(parts[index] as string), JSON.parse(parts[index + 1] as string)]
        expectValid(isObject(action.create), `the action is ${parts[index]}`)
        const id = `${action.create._id}`
        expectValid(id.length > 0 && id.length <= 512, `the id is ${id}`)
        expectValid(
          isObject(document) && !Number.isNaN(Date.parse(`${document['@timestamp']}`)),
          'a document must have a @timestamp',
        )
        const item = create(id, document)
        items.push({ create: item })
        if (item.status === 201) lines.push(`${document.message}`)
      }
      const errors = items.some(({ create: { status } }) => status >= 400)
      const filtered = url.searchParams.get('filter_path')?.split(',') ?? []
      expectValid(
        filtered.includes('errors') && filtered.includes('items.*.status'),
        'filter_path must limit the size of the response',
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
    if (protocol.busyDocuments > 0) {
      protocol.busyDocuments--
      return {
        status: 429,
        error: { type: 'rejected_execution_exception', reason: 'rejected execution of coordinating operation' },
      }
    }
    if (`${document.message}`.includes(invalidText))
      return { status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse field [message]' } }
    if (documents.has(id))
      return { status: 409, error: { type: 'version_conflict_engine_exception', reason: `[${id}]: version conflict` } }
    documents.set(id, document)
    return { status: 201 }
  }
  return protocol
}
