/** What a store keeps of a service's usage: counts that instances add to, each batch once. */
import type { CallerDay } from '@nomen/core/usage'

/** Requests of one operation by one caller, with answers of one class. */
export interface UsageRow extends Pick<CallerDay, 'method' | 'path' | 'kind' | 'caller' | 'requests' | 'bytes'> {
  /** The first digit of the status. */
  readonly status: number
  /** In whole seconds: `2026-11-15T03:29:00Z`. */
  readonly first: string
  readonly last: string
}

/** What an instance has counted on one day since its last batch; it may have been there and counted nothing. */
export interface UsageBatch {
  /** Names a process, or a mount in it, for as long as it lives. */
  readonly instance: string
  /** Rises with every batch of the instance. */
  readonly number: number
  /** UTC: `2026-11-15`. */
  readonly day: string
  /** From when to when the instance was there on that day: `2026-11-15T03:29:00Z`. */
  readonly first: string
  readonly last: string
  /** No two of the same key. */
  readonly rows: readonly UsageRow[]
}

/** From when to when any instance was there on a day, as far as is known. */
export type ServedDay = Pick<UsageBatch, 'day' | 'first' | 'last'>

export interface UsageStore {
  /**
   * Adds a batch, whoever else adds at the same time. Given again, because nobody knows what became of it, it is added
   * only where it was not; the ones before it must have been added.
   */
  add(batch: UsageBatch): Promise<void>
  /** In their order. */
  days(): Promise<readonly ServedDay[]>
  /** What is known of a day, whatever the status. */
  rows(day: string): Promise<readonly CallerDay[]>
  /** Removes the oldest day before the one given, and tells whether there was one. */
  forget(before: string): Promise<boolean>
}
