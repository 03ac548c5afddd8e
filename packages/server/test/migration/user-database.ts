/** A database with a noun "user", whose fields each test declares. */
import { identity, noun, text, type Value } from '@nomen/core'
import type { MigrationReport } from '../../src/store/migrate/report.ts'
import type { MigratedDatabase } from '../migrated-database.ts'
import { modelOfNouns, type Use } from '../model-of-nouns.ts'

export const department = noun('department', { id: identity(), name: text() })

export function userModel(fields: Parameters<typeof noun>[1], use: Use = {}, options = {}) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }, options), department], use)
}

export const kinds = (report: MigrationReport) => report.changes.map(({ kind }) => kind)

/** Returns a function that migrates an empty database to the given fields of "user" and inserts records. */
export function userDatabase(open: () => Promise<MigratedDatabase>) {
  return async (
    fields: Parameters<typeof noun>[1],
    records: readonly Readonly<Record<string, Value>>[] = [],
    use: Use = {},
  ): Promise<MigratedDatabase> => {
    const database = await open()
    const model = userModel(fields, use)
    await database.migrate(model, 'start')
    for (const record of records) await database.insert(model, 'user', record)
    return database
  }
}
