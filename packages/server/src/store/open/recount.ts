/** Compares the stored tallies of a database with its records, and recounts them if they differ. */
import { isPostgresUrl } from '../connection/postgres-url.ts'
import { existingSqlitePath } from '../connection/sqlite-path.ts'
import type { NounCount } from '../migrate/recount.ts'
import type { Model } from '../model.ts'
import { recountFile } from '../sqlite/migrate/recount.ts'

/**
 * Compares the stored tallies (materialized counts) of a database with its records. `check` changes nothing; `fix` corrects
 * differences in one transaction and returns them. Services may keep running; writes of recounted nouns wait meanwhile.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * for (const { noun, miscounts } of await recountDatabase('sqlite:data/directory.db', service, 'check'))
 *   console.log(noun, miscounts.length === 0 ? 'is correct' : miscounts)
 * ```
 *
 * @throws DatabaseError if the database does not exist
 */
export async function recountDatabase(
  url: string,
  { model }: { readonly model: Model },
  mode: 'check' | 'fix',
): Promise<readonly NounCount[]> {
  if (isPostgresUrl(url)) {
    // Imported on demand: a command on SQLite starts faster without the driver.
    const { recountServer } = await import('../postgres/tally/recount.ts')
    return recountServer(url, model, mode)
  }
  return recountFile(existingSqlitePath(url), model, mode)
}
