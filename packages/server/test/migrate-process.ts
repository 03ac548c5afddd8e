/** A process of its own that migrates a database file at an agreed moment: path, moment, field that it adds. */
import { setTimeout } from 'node:timers/promises'
import { identity, noun, text } from '@nomen/core'
import { migrate } from '../src/store/sqlite/migrate.ts'
import { openDatabase } from '../src/store/sqlite/sqlite-store.ts'
import { modelOfNouns } from './model-of-nouns.ts'

const [path = '', moment = '', added] = process.argv.slice(2)
const user = noun('user', { id: identity(), name: text(), ...(added && { [added]: text().default('x') }) })
await setTimeout(Number(moment) - Date.now())
const database = openDatabase(path)
const report = migrate(database, modelOfNouns([user], { searched: added ? [`user.${added}`] : [] }), 'start')
console.log(JSON.stringify({ isFresh: report.isFresh, steps: report.steps.length }))
database.close()
