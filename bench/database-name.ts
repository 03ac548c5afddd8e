/** What databases are called where people read. */
import type { DatabaseKind } from './contender.ts'

export const databaseNames: Readonly<Record<DatabaseKind, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
