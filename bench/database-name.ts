/** The names of databases for reports. */
import type { DatabaseKind } from './contender.ts'

export const databaseNames: Readonly<Record<DatabaseKind, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
