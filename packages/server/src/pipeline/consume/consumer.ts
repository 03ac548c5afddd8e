/** Consumers of changes: each gets every change at least once, and the changes of one record in their order. */
import type { ConsumerProgress } from '../../store/consumer.ts'
import type { Entry as HistoryEntry } from '../history/entry-reads.ts'

/** A history entry, with the properties that responses have. */
export interface Entry extends HistoryEntry {
  readonly fields: string | null
  readonly after: string | null
  readonly user: string | null
  readonly application: string | null
  readonly request: string | null
}

export interface EntryWindow {
  readonly entries: readonly Entry[]
  /** The ID after which to continue. */
  readonly next: number
}

export interface DeliveryAttempt extends Pick<ConsumerProgress, 'replayedAt'> {
  /** 1 for the first attempt. */
  readonly attempt: number
}

export interface Consumer {
  readonly name: string
  /** Changes if the consumer was redefined: it is then started again. */
  readonly version: string
  /** The ID after which a new consumer begins. */
  start(): Promise<number>
  /** Reads some of its entries after an ID, up to a settled one. */
  read(afterId: number, settled: number): Promise<EntryWindow>
  /** Returns whether the entry was delivered. Entries of other records may be delivered at the same time. */
  deliver(entry: Entry, attempt: DeliveryAttempt): Promise<boolean>
  /** The IDs of entries after its position that another process has delivered. Without it, they are delivered again. */
  deliveredIdsAfter?(progress: ConsumerProgress): Promise<readonly number[]>
  /** Called after attempts that failed. The consumer may remove itself. */
  onFailure?(progress: ConsumerProgress): Promise<void>
}
