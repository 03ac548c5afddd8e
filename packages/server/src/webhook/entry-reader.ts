/** Reads changes as a caller may see them, as `GET /change` does. */
import { type AnyApi, change, type Operation, operations, resource } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import type { Service } from '../define/definition.ts'
import type { Entry, EntryWindow } from '../pipeline/consume/consumer.ts'
import type { Followers } from '../pipeline/follow/followers.ts'
import { entryFieldsOf } from '../pipeline/history/entries.ts'
import { undeclaredRead } from '../pipeline/pipeline.ts'
import type { RecordStore } from '../store/store.ts'
import type { WebhookRecord } from './records.ts'

const pageSize = 100

export type ReadEntries = (
  caller: Caller,
  filter: Pick<WebhookRecord, 'nouns' | 'kinds' | 'fields'>,
  afterId: number,
) => Promise<EntryWindow>

/** An operation that no api offers. */
const list = operations({
  name: 'changes of the service',
  options: { versioning: 'per-noun', writes: 'nested', resources: [resource(change)] },
} as AnyApi).find(({ kind }) => kind === 'list') as Operation

export function entryReader(service: Service, store: RecordStore, followers: Followers): ReadEntries {
  const pipeline = undeclaredRead(service, list, { store, followers, entryFields: entryFieldsOf(service.operations) })
  return async (caller, { nouns, kinds, fields }, afterId) => {
    const query = new URLSearchParams({ afterId: `${afterId}`, pageSize: `${pageSize}` })
    for (const noun of namesIn(nouns)) query.append('noun', noun)
    for (const kind of namesIn(kinds)) query.append('kind', kind)
    for (const field of namesIn(fields)) query.append('changedField', field)
    const raw = { address: '', requestId: '', path: list.path, parameters: [], headers: {}, body: undefined }
    const response = await pipeline({ ...raw, query: `${query}`, isUncounted: true }, caller)
    const next = /afterId=(\d+)/.exec(response.headers?.link ?? '')?.[1]
    const { results } = JSON.parse(response.body) as { readonly results: readonly Entry[] }
    return { entries: results, next: Number(next ?? afterId) }
  }
}

/** The names in a string that separates them by commas. */
export function namesIn(text: string | null): readonly string[] {
  return text === null ? [] : text.split(',').map((name) => name.trim())
}
