/** The stored figures of a run, from which table and chart can be drawn again. */
import type { DatabaseKind } from '../contender.ts'

export interface GrowthFigures {
  readonly date: string
  readonly machine: string
  readonly database: DatabaseKind
  readonly points: readonly GrowthPoint[]
}

/** The cost of one page for one contender at one size. */
export interface GrowthPoint {
  readonly contender: ContenderName
  readonly users: number
  readonly list: ListName
  readonly page: PageName
  /** Milliseconds, for sequential requests. */
  readonly p50: number
  readonly p99: number
  /** The median as a multiple of that at the smallest size, within rounds. */
  readonly growth: number
  /** With eight concurrent requests. */
  readonly requestsPerSecond: number
}

export const contenderNames = ['Nomen', 'limit/offset'] as const
export const listNames = ['all users', 'status=ACTIVE'] as const
export const pageNames = ['first', 'middle', 'last'] as const

export type ContenderName = (typeof contenderNames)[number]
export type ListName = (typeof listNames)[number]
export type PageName = (typeof pageNames)[number]
