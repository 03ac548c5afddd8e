/** The input of a function that writes a condition as SQL: the dialect, the table, and how each run reads its values. */
import type { AnyNoun } from '@nomen/core'
import type { Condition } from '../plan.ts'
import type { Dialect } from './dialect.ts'

export interface FilterContext<Input> {
  readonly dialect: Dialect
  readonly noun: AnyNoun
  /** The alias of the table. */
  readonly alias: string
  /** The field whose index the planner should use. */
  readonly drivingField?: string | undefined
  readonly read: (input: Input) => Condition | undefined
}
