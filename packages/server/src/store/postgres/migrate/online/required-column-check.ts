/** Columns that become required: a check that is validated without a lock spares the scan of the table under the lock. */
import type { Change } from '../../../migrate/change/change.ts'
import { nounOf, type Schema } from '../../../migrate/schema/schema.ts'
import { identifier } from '../../name.ts'
import { columnChanges } from '../sql/column.ts'

/** The statements of one check. */
interface RequiredColumnCheck {
  readonly add: string
  readonly validate: string
  readonly drop: string
}

export function requiredColumnChecks(
  changes: readonly Change[],
  before: Schema,
  after: Schema,
): readonly RequiredColumnCheck[] {
  const tables = new Set(changes.filter(({ kind }) => kind === 'require-field').map(({ subject }) => subject))
  return [...tables].flatMap((name) => {
    const table = `alter table ${identifier(name)}`
    return columnChanges(nounOf(before, name), nounOf(after, name))
      .filter(({ column, origin }) => origin && !origin.isRequired && column.isRequired)
      .map(({ column }) => {
        const constraint = identifier(`${name}_${column.name}_required`)
        return {
          add: `${table} add constraint ${constraint} check (${identifier(column.name)} is not null) not valid`,
          validate: `${table} validate constraint ${constraint}`,
          drop: `${table} drop constraint if exists ${constraint}`,
        }
      })
  })
}
