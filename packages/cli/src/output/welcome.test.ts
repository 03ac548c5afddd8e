// The message of a service that listens.
import { api, identity, noun, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { expect, it } from 'vitest'
import { welcome } from './welcome.ts'

const note = noun('note', { id: identity() })
const notes = service({
  name: 'notes',
  apis: [api('notes', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })],
})
const options = {
  address: 'http://127.0.0.1:3000',
  database: 'sqlite:data/notes.db',
  databaseRead: undefined,
  accessLog: 'data/access.log',
  processes: 1,
  issuer: undefined,
  isDev: false,
}

it('has the URL of the console', () => {
  expect(welcome(notes, { ...options, hasConsole: true })).toContain('\n  console     http://127.0.0.1:3000/console\n')
})

it('says how to build the console if it is missing', () => {
  expect(welcome(notes, { ...options, hasConsole: false })).toContain(
    '\n  console     not built: run "npm run console" in the clone\n',
  )
})
