/** The service process of `bench:follow`: prints its URL. */
import { api, change, identity, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'

const note = noun('note', { id: identity(), line: text() }, { history: true })
const notes = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note), resource(change)],
})

const database = process.argv[2] ?? 'sqlite::memory:'
const app = await open(service({ name: 'notes', apis: [notes] }), { database, followerLimit: 1_000_000, usage: false })
console.log(await app.listen({ port: 0 }))
process.on('SIGTERM', () => app.close().then(() => process.exit()))
