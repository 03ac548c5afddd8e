/** What SQLite says of a row that it refuses. */
import type { AnyNoun } from '@nomen/core'
import { fieldName, tableName } from '../../stored-name.ts'

/** The fields named by SQLite's refusal of a value that is already there. */
export function takenFields(noun: AnyNoun, error: unknown): readonly string[] | undefined {
  const isTaken = error instanceof Error && 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555)
  const columns = isTaken ? /failed: (.*)$/.exec(error.message)?.[1] : undefined
  const table = `${tableName(noun)}.`
  // A name may hold a comma too.
  return columns
    ?.slice(table.length)
    .split(`, ${table}`)
    .map((name) => fieldName(noun, name))
}

/** Whether it refuses a reference to a record that is not there. */
export function isNoTarget(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 787
}
