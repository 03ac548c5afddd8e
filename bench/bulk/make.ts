/** Creates the databases of a benchmark: one with all users, and one with only their departments. */
import { open } from '@nomen/server'
import { exportRecords, loadRecords } from '@nomen/server/admin'
import { directory } from './directory.ts'

/** The URLs of both databases. */
const [, , full = '', empty = ''] = process.argv

const service = await directory()
await (await open(service, { database: full })).close()
const departments = await exportRecords(service, { database: full, noun: 'department', format: 'ndjson' })
async function* bytes() {
  for await (const { text } of departments.parts()) yield Buffer.from(text)
}
const source = { name: 'departments', isRepeatable: false, bytes }
await loadRecords(service, { database: empty, noun: 'department', source })
await departments.close()
