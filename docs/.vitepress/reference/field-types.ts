/** The table of field types: how each is sent in JSON and stored in both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  api,
  boolean,
  choice,
  date,
  decimal,
  email,
  type FieldSpec,
  fieldSchema,
  guid,
  identity,
  integer,
  noun,
  number,
  resource,
  text,
  timestamp,
  url,
} from '@nomen/core'
import { open, service } from '@nomen/server'
import { typeOf } from '../../../packages/server/src/store/postgres/migrate/sql/table.ts'
import { code, table } from './region.ts'

/** A noun with a field of every type. A reference has the type of the ID that it refers to. */
const sample = noun('sample', {
  identity: identity(),
  text: text(),
  email: email(),
  url: url(),
  guid: guid(),
  integer: integer(),
  number: number(),
  decimal: decimal({ scale: 2 }),
  boolean: boolean(),
  choice: choice('OPEN', 'CLOSED'),
  date: date(),
  timestamp: timestamp(),
})

export async function fieldTypeTable(): Promise<string> {
  const columns = await sqliteColumns()
  const rows = Object.entries(sample.fields).map(([name, { spec }]) => {
    const { type, format, enum: choices } = fieldSchema(spec)
    const json = [`${type}`, ...(format === undefined ? [] : [`format ${format}`]), ...(choices ? ['enum'] : [])]
    return [code(spec.kind), json.join(', '), code(`${columns.get(name)}`), code(postgresType(name, spec))]
  })
  return table(['type', 'JSON', 'SQLite column', 'PostgreSQL column'], rows)
}

function postgresType(name: string, { kind, scale }: FieldSpec): string {
  return typeOf({ name, kind, ...(scale !== undefined && { scale }) })
}

/** The types of the columns of a real database. */
async function sqliteColumns(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  const file = join(folder, 'sample.db')
  const samples = api('samples', { versioning: 'whole', version: 1, writes: 'flat', resources: [resource(sample)] })
  try {
    const app = await open(service({ name: 'samples', apis: [samples] }), { database: `sqlite:${file}` })
    await app.close()
    const database = new DatabaseSync(file)
    const rows = database.prepare("select name, type from pragma_table_info('sample')").all()
    database.close()
    return new Map(rows.map(({ name, type }) => [`${name}`, `${type}`]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
