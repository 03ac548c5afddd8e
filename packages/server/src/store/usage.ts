/** Stored usage counts: instances add batches, each exactly once. */
import type { CallerDay } from '@nomen/core/usage'

/** Requests of one operation by one caller, with responses of one status class. */
export interface UsageRow extends Pick<CallerDay, 'method' | 'path' | 'kind' | 'caller' | 'requests' | 'bytes'> {
  /** The first digit of the status. */
  readonly status: number
  /** In whole seconds: `2026-11-15T03:29:00Z`. */
  readonly first: string
  readonly last: string
}

/** The counts of an instance on one day since its last batch. Without requests, it has no rows. */
export interface UsageBatch {
  /** Identifies a process, or a mounted service in it, for its lifetime. */
  readonly instance: string
  /** Increases with every batch of the instance. */
  readonly number: number
  /** UTC: `2026-11-15`. */
  readonly day: string
  /** When the instance was running on that day: `2026-11-15T03:29:00Z`. */
  readonly first: string
  readonly last: string
  /** Each key occurs once. */
  readonly rows: readonly UsageRow[]
}

/** When any instance was running on a day, as far as is known. */
export type ServedDay = Pick<UsageBatch, 'day' | 'first' | 'last'>

export interface UsageStore {
  /**
   * Adds a batch; safe with concurrent instances. A batch can be added again if its outcome is unknown: it is stored only
   * once. Earlier batches of the instance must have been added.
   */
  add(batch: UsageBatch): Promise<void>
  /** In chronological order. */
  days(): Promise<readonly ServedDay[]>
  /** The usage of a day, for all statuses. */
  rows(day: string): Promise<readonly CallerDay[]>
  /** Removes the oldest day before `before`, and returns whether there was one. */
  forget(before: string): Promise<boolean>
}
