/** Bulk loads and exports on an SQLite file, each on a separate connection. */
import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { BulkSnapshot, BulkStore, BulkTarget, BulkWriter, WriteRules } from '../../bulk/bulk.ts'
import { requireFile } from '../../connection/sqlite-path.ts'
import { DatabaseError } from '../../fault/database-error.ts'
import { affectsRecords } from '../../migrate/change/change.ts'
import { schemaMismatchError } from '../../migrate/error.ts'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import type { Model } from '../../model.ts'
import { countQuery, exportPageSize, pageQuery } from '../../sql/bulk-query.ts'
import { tableName } from '../../stored-name.ts'
import { sqliteDialect } from '../dialect.ts'
import { migrate } from '../migrate/migrate.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { openDatabase } from '../open-database.ts'
import { prepare } from '../statement.ts'
import { dropIndexes } from './drop-indexes.ts'
import { SqliteBulkWriter } from './writer.ts'

/** How long to wait for the lock while others write. */
const timeoutMs = 60_000

export class SqliteBulk implements BulkStore {
  readonly #path: string
  readonly #model: Model
  readonly #connections: DatabaseSync[] = []

  constructor(path: string, model: Model) {
    if (path === ':memory:')
      throw new DatabaseError(
        path,
        ': its data would be lost when the command ends',
        'Use a file: sqlite:data/directory.db',
      )
    this.#path = path
    this.#model = model
  }

  /** Creates the file if needed, and migrates it to the model. */
  async writer(target: BulkTarget, rules: WriteRules): Promise<BulkWriter> {
    const isPlain = 'stored' in target && !rules.asyncLogic
    const schemaWithoutIndexes = isPlain
      ? dropIndexes(this.#path, this.#model, tableName(target.stored.noun))
      : undefined
    const database = this.#connect()
    if (!schemaWithoutIndexes) migrate(database, this.#model, 'start')
    // The disk is synced once, at the end. If the machine crashes, the next run loads the lost rows again.
    database.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -65536;
      pragma busy_timeout = ${timeoutMs}`)
    return new SqliteBulkWriter(database, this.#model, target, {
      ...rules,
      schema: schemaWithoutIndexes ?? schemaOf(this.#model),
    })
  }

  async snapshot(target: BulkTarget): Promise<BulkSnapshot> {
    requireFile(this.#path)
    const database = this.#connect()
    database.exec('pragma query_only = on; begin')
    if (missingChanges(readSchema(database), schemaOf(this.#model), false).some(affectsRecords))
      throw schemaMismatchError()
    const query = countQuery(target)
    const numberOfRecords = Number(prepare<null>(database, query).first(null)?.[0])
    return { numberOfRecords, pages: () => pagesOf(database, target) }
  }

  async close(): Promise<void> {
    for (const database of this.#connections) if (database.isOpen) database.close()
  }

  #connect(): DatabaseSync {
    const database = openDatabase(this.#path)
    this.#connections.push(database)
    return database
  }
}

async function* pagesOf(database: DatabaseSync, target: BulkTarget): AsyncGenerator<readonly string[]> {
  const [first, next] = [true, false].map((isFirst) =>
    prepare<readonly Value[]>(database, pageQuery(sqliteDialect, target, isFirst)),
  )
  let rows = first?.all([]) ?? []
  while (rows.length > 0) {
    yield rows.map(([json]) => json as string)
    const last = rows.at(-1)?.slice(1) as Value[]
    rows = rows.length < exportPageSize ? [] : (next?.all(last) ?? [])
  }
}
