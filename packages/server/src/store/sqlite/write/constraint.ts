/** What SQLite says of a row that it refuses. */
import type { AnyNoun } from '@nomen/core'
import { faultOf } from '../../fault.ts'
import { fieldName, tableName } from '../../stored-name.ts'

/** The fields named by SQLite's refusal of a value that is already there. */
export function takenFields(noun: AnyNoun, error: unknown): readonly string[] | undefined {
  const columns = faultOf(error) === 'taken' ? /failed: (.*)$/.exec(`${error}`)?.[1] : undefined
  const table = `${tableName(noun)}.`
  // A name may hold a comma too.
  return columns
    ?.slice(table.length)
    .split(`, ${table}`)
    .map((name) => fieldName(noun, name))
}
