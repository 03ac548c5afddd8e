import { email, identity, link, noun, reference, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modelOfNouns } from '../../../test/model-of-nouns.ts'
import { migrate } from './migrate.ts'

const department = noun('department', { id: identity(), name: text() })

describe('a fresh database', () => {
  it('gets everything at start, and nothing at the next', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    const user = noun('user', {
      id: identity(),
      email: email().unique(),
      name: text(),
      department: reference(() => department).nullable(),
    })
    const model = modelOfNouns([user, department], {
      filtered: ['user.email', 'user.name'],
      searched: ['user.name'],
      links: [link(user, department)],
    })
    const report = await migrate(client, model, 'start')
    expect(report.isFresh).toBe(true)
    await client.query(`insert into "user" (email, name, name_folded) values ('a@b.c', 'A', 'a')`)
    await expect(
      client.query(`insert into "user" (email, name, name_folded) values ('A@b.c', 'A', 'a')`),
    ).rejects.toThrow('user_email_unique')
    expect(await migrate(client, model, 'start')).toEqual({ isFresh: false, changes: [], steps: [], obstacles: [] })
  })
})
