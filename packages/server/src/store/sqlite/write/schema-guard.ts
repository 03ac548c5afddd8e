/** Keeps a process from writing in the form of an old schema after another process has changed it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { StoreUnavailable } from '../../error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { type Schema, schemaOf } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { readSchema } from '../migrate/snapshot.ts'

export class SchemaGuard {
  readonly #database: DatabaseSync
  readonly #schema: Schema
  readonly #version: StatementSync
  #known: unknown

  constructor(database: DatabaseSync, model: Model) {
    this.#database = database
    this.#schema = schemaOf(model)
    // SQLite counts every change of the schema, by whichever process.
    this.#version = database.prepare('pragma schema_version')
  }

  /** To be asked within a transaction that writes: nobody else changes the schema meanwhile. */
  check(): void {
    const version = this.#version.get()?.schema_version
    if (version === this.#known) return
    const found = readSchema(this.#database)
    // It would write no column that it does not know, nor keep up what is derived from the others.
    if (!found || migrationOf(found, this.#schema).length > 0)
      throw new StoreUnavailable(
        'The schema of the database was changed for another version of the service. Restart this one.',
      )
    this.#known = version
  }
}
