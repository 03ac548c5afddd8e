/** The origin of a write for the history, as a setting of its transaction. */
import { type AnyLink, type AnyNoun, hasHistory } from '@nomen/core'
import type { Origin } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { originSetting } from '../migrate/sql/history.ts'

/** The input of a write that the history may record. */
export interface OriginInput {
  readonly origin?: Origin
}

/**
 * Sets the origin of a write for the history. It is a condition that is always true, because conditions are evaluated before
 * the row is written and its triggers run. Empty if the changes are not recorded.
 */
export function originConditions(of: AnyNoun | AnyLink): readonly Sql[] {
  return hasHistory(of) ? [sql`${setOrigin} is not null`] : []
}

const origin = slot<OriginInput>((input) => JSON.stringify(input.origin ?? {}))

const setOrigin = sql`set_config(${sql.lit(originSetting)}, ${origin}, true)`

/** Sets the origin for the rest of the transaction. */
export const originQuery = sql`select ${setOrigin}`
