/** Stores the progress of consumers of changes (webhooks and durable hooks), and which process holds each of them. */

/** How far a consumer has come. Times are in milliseconds since 1970; 0 means never. */
export interface ConsumerProgress {
  /** All entries up to this ID were delivered. */
  readonly position: number
  /** The number of failed attempts since the last success. */
  readonly failures: number
  /** When the first of them failed. */
  readonly failingSince: number
  /** When to try again. */
  readonly retryAt: number
  /** When a user last requested that earlier entries are delivered again. */
  readonly replayedAt: number
}

export interface ConsumerState extends Pick<ConsumerProgress, 'failures' | 'replayedAt'> {
  /** Whether the process may hold it, or holds it already. */
  readonly isFree: boolean
}

export interface ConsumerStore {
  /** The state of consumers, by name. New ones are not stored yet. */
  states(names: readonly string[], owner: string): Promise<ReadonlyMap<string, ConsumerState>>
  /** Takes or keeps consumers that no other process holds. Returns the progress of those that it holds now. */
  hold(names: readonly string[], owner: string, holdMs: number): Promise<ReadonlyMap<string, ConsumerProgress>>
  /** Replaces the stored progress. False if another process holds the consumer, or if it was replayed or retried since. */
  save(name: string, owner: string, progress: ConsumerProgress, stored: ConsumerProgress): Promise<boolean>
  /** Lets other processes take the consumers at once. */
  release(names: readonly string[], owner: string): Promise<void>
  /** Adds a consumer that begins at a position. */
  add(name: string, position: number): Promise<void>
  /** Moves a consumer back to a position. All entries after it are delivered again, also those after an earlier position. */
  replay(name: string, position: number): Promise<void>
  /** Forgets failures, so that the next attempt is made at once. */
  retry(name: string): Promise<void>
  remove(name: string): Promise<void>
}
