/** A process of its own that migrates a database file once it is told to go: path, and the fields that are searched. */
import { once } from 'node:events'
import { identity, noun, text } from '@nomen/core'
import { migrate } from '../src/store/sqlite/migrate.ts'
import { openDatabase } from '../src/store/sqlite/sqlite-store.ts'
import { modelOfNouns } from './model-of-nouns.ts'

const [path = '', ...searched] = process.argv.slice(2)
const model = modelOfNouns([noun('user', { id: identity(), name: text() })], { searched })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const database = openDatabase(path)
const report = migrate(database, model, 'start')
process.stdout.write(JSON.stringify({ isFresh: report.isFresh, steps: report.steps.length }))
database.close()
process.stdin.destroy()
