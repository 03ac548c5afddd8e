/** Compares the schema of a PostgreSQL database with the one that this process was opened with. */

import { type SchemaFit, schemaFit } from '../migrate/schema/fit.ts'
import { schemaOf } from '../migrate/schema/model-schema.ts'
import { withAdopted } from '../migrate/schema/schema.ts'
import { readSnapshot } from '../migrate/schema/snapshot.ts'
import type { Model } from '../model.ts'
import { sql } from '../sql/sql.ts'
import type { Run } from './connect/database.ts'
import { compile } from './statement.ts'

const version = compile<undefined>(sql`select "applied"::text from "_schema"`)
const snapshot = compile<undefined>(sql`select "applied"::text, "format", "snapshot" from "_schema"`)

export class PostgresSchemaGuard {
  readonly #read: Run
  readonly #model: Model
  #latest: { readonly version: string; readonly fit: SchemaFit } | undefined

  constructor(read: Run, model: Model) {
    this.#read = read
    this.#model = model
  }

  /** Changes with every migration. */
  async version(): Promise<string> {
    const [row] = await this.#read(version, undefined)
    return `${row?.[0]}`
  }

  /** Compares the schemas, if there was a migration since the last call. */
  async fit(): Promise<SchemaFit> {
    if (!this.#latest || this.#latest.version !== (await this.version())) this.#latest = await this.#compare()
    return this.#latest.fit
  }

  async #compare() {
    const [row = []] = await this.#read(snapshot, undefined)
    const actual = readSnapshot({ format: Number(row[1]), snapshot: row[2] })
    return { version: `${row[0]}`, fit: schemaFit(actual, withAdopted(schemaOf(this.#model), actual), true) }
  }
}
