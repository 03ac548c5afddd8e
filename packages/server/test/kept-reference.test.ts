// A field that is no longer declared keeps its column until a contraction, and so does its foreign key.
import { type AnyField, identity, noun, reference, resource, text } from '@nomen/core'
import { migrateDatabase } from '@nomen/server/admin'
import { expect, it } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const team = noun('team', { id: identity(), name: text() })
const versionOf = (fields: Readonly<Record<string, AnyField>>) =>
  serviceOf([plainApi(resource(team), resource(noun('user', { id: identity(), name: text(), ...fields })))])
const first = versionOf({ team: reference(() => team).nullable() })
const second = versionOf({})

it('a record that only a reference of an earlier version refers to cannot be deleted before the contraction', async () => {
  const database = await persistentDatabase()
  const old = await openService(first, { database })
  await old.send('POST', '/team', { name: 'A' })
  await old.send('POST', '/user', { name: 'Ada', team: 1 })
  await old.app.close()
  const app = await openService(second, { database })
  const { status, body } = await app.send('DELETE', '/team/1')
  expect([status, body.code]).toEqual([422, 'rule-broken'])
  expect(body.detail).toMatch(/^The database rejected the (write|delete)/)
  expect(body.hint).toContain('nomen migrate --contract')
  expect((await app.get('/team/1')).status).toBe(200)
  await app.app.close()
  await migrateDatabase(database, second, 'contract')
  const contracted = await openService(second, { database })
  expect((await contracted.send('DELETE', '/team/1')).status).toBe(200)
})
