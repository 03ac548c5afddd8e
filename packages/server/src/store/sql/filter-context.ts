/** The context of a condition in SQL. */
import type { AnyNoun } from '@nomen/core'
import type { Condition } from '../plan.ts'
import type { Dialect } from './dialect.ts'

/** The context of a condition, and how to read its values at each run. */
export interface FilterContext<Input> {
  readonly dialect: Dialect
  readonly noun: AnyNoun
  /** The alias of the table. */
  readonly alias: string
  readonly driver?: string | undefined
  readonly read: (input: Input) => Condition | undefined
}
