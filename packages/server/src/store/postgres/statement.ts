/** Statements for PostgreSQL: built once by Kysely, then only bound and sent. */
import { createHash } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Sql } from '../sql/dialect.ts'
import { binder } from '../sql/fragment.ts'
import { postgresName } from './postgres-name.ts'

/** Every name in SQL takes the form that its table was made with. */
class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(postgresName(identifier))
  }
}

/** Builds SQL text and never runs any. */
const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  },
})

/** A statement whose bound values are read from an input at each run. */
export interface Statement<Input> {
  /** The same for the same text, so that a connection prepares it once. */
  readonly name: string
  readonly text: string
  bind(input: Input): unknown[]
}

export function compile<Input>(query: Sql): Statement<Input> {
  const { sql: text, parameters } = query.compile(builder)
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  return { name, text, bind: binder<Input>(parameters) }
}
