/** Compares the tallies of a service's database with its records, and counts anew where they differ. */
import { existsSync } from 'node:fs'
import type { Operation } from '@nomen/core'
import { DatabaseError } from '../database-error.ts'
import type { NounCount } from '../migrate/recount.ts'
import { modelOf } from '../model.ts'
import { isPostgresAddress } from '../postgres-address.ts'
import { recountFile } from '../sqlite/migrate/recount.ts'
import { sqlitePath } from '../sqlite-path.ts'

/**
 * `check` compares all of them in one snapshot and changes nothing; `fix` makes right what differs, in one transaction, and
 * tells what it was. Services may go on: writes of the nouns that are counted anew wait meanwhile, reads do not.
 */
export async function recountDatabase(
  address: string,
  operations: readonly Operation[],
  mode: 'check' | 'fix',
): Promise<readonly NounCount[]> {
  const model = modelOf(operations)
  if (isPostgresAddress(address)) {
    // Loaded where it is used: a command on SQLite starts sooner without the driver.
    const { recountServer } = await import('../postgres/tally/recount.ts')
    return recountServer(address, model, mode)
  }
  const path = sqlitePath(address)
  if (!existsSync(path))
    throw new DatabaseError(path, ': there is no such file', 'Name the database that the service uses.')
  return recountFile(path, model, mode)
}
