/** A separate process that migrates a database on a signal. Arguments: the database URL and the searched fields. */
import { once } from 'node:events'
import { identity, noun, text } from '@nomen/core'
import type { MigrationReport } from '../src/store/migrate/report.ts'
import { migrateAt } from '../src/store/postgres/migrate/server.ts'
import { migrate } from '../src/store/sqlite/migrate/migrate.ts'
import { openDatabase } from '../src/store/sqlite/open-database.ts'
import { modelOfNouns } from './model-of-nouns.ts'

const [address = '', ...searched] = process.argv.slice(2)
const model = modelOfNouns([noun('user', { id: identity(), name: text() })], { searched })

function migrateFile(path: string): MigrationReport {
  const database = openDatabase(path)
  try {
    return migrate(database, model, 'start')
  } finally {
    database.close()
  }
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const { isFresh, steps } = address.startsWith('postgres:')
  ? await migrateAt(address, model, 'start')
  : migrateFile(address)
process.stdout.write(JSON.stringify({ isFresh, steps: steps.length }))
process.stdin.destroy()
