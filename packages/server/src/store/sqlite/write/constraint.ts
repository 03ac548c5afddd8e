/** Reads the errors with which SQLite refuses a row. */
import { type AnyNoun, tenantField } from '@nomen/core'
import { faultOf } from '../../fault.ts'
import { fieldName, tableName } from '../../stored-name.ts'

/** The fields of a unique constraint that a row violates. */
export function takenFields(noun: AnyNoun, error: unknown): readonly string[] | undefined {
  const columns = faultOf(error) === 'taken' ? /failed: (.*)$/.exec(`${error}`)?.[1] : undefined
  const table = `${tableName(noun)}.`
  // A name may contain a comma.
  return columns
    ?.slice(table.length)
    .split(`, ${table}`)
    .map((name) => fieldName(noun, name))
    .filter((field) => field !== tenantField(noun))
}
