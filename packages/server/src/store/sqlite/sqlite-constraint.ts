/** What SQLite says of a row that it refuses. */
import type { AnyNoun } from '@nomen/core'
import { fieldName, tableName } from '../stored-name.ts'

/** The fields named by SQLite's refusal of a value that is already there. */
export function takenFields(noun: AnyNoun, error: unknown): readonly string[] | undefined {
  const isTaken = error instanceof Error && 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555)
  const columns = isTaken ? /failed: (.*)$/.exec(error.message)?.[1] : undefined
  return columns?.split(', ').map((name) => fieldName(noun, name.slice(tableName(noun).length + 1)))
}

/** Whether it refuses a reference to a record that is not there. */
export function isNoTarget(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 787
}
