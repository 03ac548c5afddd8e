/**
 * The part of a migration that takes long on a large table: it fills new columns, builds indexes and checks references,
 * each in transactions of its own, while other instances read and write.
 */
import type { ClientBase } from 'pg'
import { derivedSchemas, type NounSchema } from '../../../migrate/schema/schema.ts'
import { identifier } from '../../name.ts'
import { recountOnline } from '../../tally/tally.ts'
import { isRecountedOnline } from '../sql/alter.ts'
import { columnChanges } from '../sql/column.ts'
import { fillDerived, fillValues } from './fill.ts'
import { indexBuilds } from './index-build.ts'
import type { OnlineStatement } from './statement.ts'

export function finishNoun(before: NounSchema, after: NounSchema): readonly OnlineStatement[] {
  if (after.adopted) return []
  const table = identifier(after.name)
  const columns = columnChanges(before, after)
  const values = columns.flatMap(({ column, fill }) =>
    fill?.kind === 'expression' ? [fillValues(after, column.name, fill.sql)] : [],
  )
  const isNew = (name: string) => columns.some(({ column, fill }) => column.name === name && fill?.kind === 'derive')
  // Other versions may have written records without these derived columns.
  const isIncomplete = before.pending ?? before.deriveTrigger
  const derivedFills = derivedSchemas(after)
    .filter(({ name }) => isIncomplete || isNew(name))
    .map((column) => fillDerived(after, column))
  const isRecounted = isRecountedOnline(before, after) || (before.pending && after.tallies.length > 0)
  const recount = {
    sql: `-- recount the stored totals of ${table}`,
    run: (client: ClientBase) => recountOnline(client, after),
  }
  const work = [...values, ...derivedFills, ...indexBuilds(before, after), ...(isRecounted ? [recount] : [])]
  return work.length === 0
    ? []
    : [...work, { sql: `analyze ${table}`, run: (client) => client.query(`analyze ${table}`) }]
}

/** Checks the references of existing records. New ones have been checked since the constraint exists. */
export function validateConstraint(table: string, constraint: string): OnlineStatement {
  const sql = `alter table ${identifier(table)} validate constraint ${identifier(constraint)}`
  return { sql, run: (client) => client.query(sql) }
}
