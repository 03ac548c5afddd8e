/** Bulk loads and exports on an SQLite file, each on a connection of its own. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { BulkSnapshot, BulkStore, BulkTarget, BulkWriter, WriteRules } from '../../bulk/bulk.ts'
import { DatabaseError } from '../../database-error.ts'
import { isOfRecords } from '../../migrate/change.ts'
import { doesNotFit } from '../../migrate/error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { schemaOf } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { countQuery, pageQuery, pageSize } from '../../sql/bulk-query.ts'
import { sqliteDialect } from '../dialect.ts'
import { migrate } from '../migrate/migrate.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { prepare } from '../statement.ts'
import { openDatabase } from '../store.ts'
import { SqliteBulkWriter } from './writer.ts'

/** How long it waits for the lock while others write, in milliseconds. */
const timeoutMs = 60_000

export class SqliteBulk implements BulkStore {
  readonly #path: string
  readonly #model: Model
  readonly #open: DatabaseSync[] = []

  constructor(path: string, model: Model) {
    if (path === ':memory:')
      throw new DatabaseError(path, ': it would be gone with this command', 'Name a file: sqlite:data/directory.db')
    this.#path = path
    this.#model = model
  }

  /** The file is made where it is missing, and its schema brought up to the model. */
  async writer(target: BulkTarget, rules: WriteRules): Promise<BulkWriter> {
    const database = this.#connect()
    migrate(database, this.#model, 'start')
    // The disk is waited for once, at the end. What a crash of the machine takes back is loaded by the next run.
    database.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -65536;
      pragma busy_timeout = ${timeoutMs}`)
    return new SqliteBulkWriter(database, this.#model, target, rules)
  }

  async snapshot(target: BulkTarget): Promise<BulkSnapshot> {
    if (!existsSync(this.#path))
      throw new DatabaseError(this.#path, ': there is no such file', 'Name the database that the service uses.')
    const database = this.#connect()
    database.exec('pragma query_only = on; begin')
    if (migrationOf(readSchema(database), schemaOf(this.#model)).some(isOfRecords)) throw doesNotFit()
    const counted = countQuery(target)
    const numberOfRecords = Number(prepare<null>(database, counted).first(null)?.[0])
    return { numberOfRecords, pages: () => pagesOf(database, target) }
  }

  async close(): Promise<void> {
    for (const database of this.#open) if (database.isOpen) database.close()
  }

  #connect(): DatabaseSync {
    const database = openDatabase(this.#path)
    this.#open.push(database)
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
    rows = rows.length < pageSize ? [] : (next?.all(last) ?? [])
  }
}
