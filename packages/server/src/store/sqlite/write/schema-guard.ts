/** Prevents use of an SQLite file after another process has changed its schema. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { OutdatedSchema } from '../../fault/error.ts'
import { faultOf } from '../../fault/fault.ts'
import { type SchemaFit, schemaFit } from '../../migrate/schema/fit.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { readSchema } from '../migrate/snapshot.ts'

export class SchemaGuard {
  readonly #database: DatabaseSync
  readonly #schema: Schema
  readonly #version: StatementSync
  #latest: { readonly version: unknown; readonly fit: SchemaFit } | undefined

  constructor(database: DatabaseSync, schema: Schema) {
    this.#database = database
    this.#schema = schema
    // SQLite counts the schema changes of all processes.
    this.#version = database.prepare('pragma schema_version')
  }

  /** Compares the schemas, if anything has changed since the last call. */
  fit(): SchemaFit {
    const version = this.#version.get()?.schema_version
    if (this.#latest?.version !== version) {
      this.#latest = { version, fit: schemaFit(readSchema(this.#database), this.#schema, false) }
    }
    return this.#latest?.fit ?? 'outdated'
  }

  /** Call it within a write transaction, so that no other process can change the schema. */
  check(): void {
    // An outdated process would not write new columns, nor update derived ones.
    if (this.fit() !== 'fits') throw new OutdatedSchema()
  }

  /** The error to throw for a failed read. A statement that does not match the file is a bug only if the schema is current. */
  explain(error: unknown): unknown {
    const isOutdated = faultOf(error) === 'outdated-schema' && this.fit() === 'outdated'
    return isOutdated ? new OutdatedSchema({ cause: error }) : error
  }
}
