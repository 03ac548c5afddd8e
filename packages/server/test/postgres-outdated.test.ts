// An instance of an old version keeps serving next to one of a new version that has changed the schema.

import { type AnyNoun, api, identity, integer, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { inject } from '@nomen/testing/inject'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { outdatedSuite } from './outdated-suite.ts'

outdatedSuite(async () => {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
})

function notesOf(declared: AnyNoun) {
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(declared)] })
  return service({ name: 'notes', apis: [notes] })
}

async function openNotes(database: string, declared: AnyNoun, messages: string[] = []) {
  const app = await open(notesOf(declared), {
    database,
    onFault: (_, error) => messages.push(`${error}`),
  })
  onTestFinished(() => app.close())
  const headers = { 'content-type': 'application/json' }
  const post = async (body: object) =>
    inject(app, { method: 'POST', url: '/note', headers, payload: JSON.stringify(body) })
  return { post, read: () => inject(app, { url: '/note/1' }) }
}

it('an instance that does not know a required field responds with 503 to a create, if no default was kept for it', async () => {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const messages: string[] = []
  const old = await openNotes(url, noun('note', { id: identity(), line: text() }), messages)
  expect((await old.post({ line: 'first' })).statusCode).toBe(201)
  const wider = noun('note', { id: identity(), line: text(), weight: integer().default(1) })
  await migrateDatabase(url, notesOf(wider), 'apply')
  const young = await openNotes(url, wider)
  const rejected = await old.post({ line: 'second' })
  expect([rejected.statusCode, rejected.json().code, rejected.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    expect.any(String),
  ])
  expect(messages.join()).toContain('Another version of the service changed the database schema')
  expect((await old.read()).json()).toEqual({ id: 1, line: 'first' })
  expect((await young.post({ line: 'second' })).json()).toMatchObject({ line: 'second', weight: 1 })
})
