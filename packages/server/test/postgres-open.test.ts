// Opening a service on PostgreSQL that cannot be opened: a plain sentence, and never the password.
import { identity, noun, resource, text } from '@nomen/core'
import { DatabaseError, open } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

async function refusal(database: string): Promise<string> {
  const error = await open(notes, { database }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DatabaseError)
  return error.message
}

describe('a database that cannot be opened', () => {
  it('does not exist', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const other = new URL(url)
    other.pathname = '/nowhere'
    other.password = 'hidden'
    const message = await refusal(other.href)
    expect(message).toBe(
      `The database "postgres://nomen@${other.host}/nowhere" cannot be opened: there is no such database.\n  Create it, or name one that is there.`,
    )
  })

  it('lies on a server that does not answer', async () => {
    expect(await refusal('postgres://ada:hidden@127.0.0.1:1/directory')).toBe(
      'The database "postgres://ada@127.0.0.1:1/directory" cannot be opened: no server answers there (ECONNREFUSED).\n  Start it, or name the right host and port.',
    )
    expect(await refusal('postgres://ada:hidden@no-such-host.invalid/directory')).toMatch(/no server answers there/)
    expect(await refusal('postgres://ada:hidden@127.0.0.1:1,127.0.0.1:2/directory')).toMatch(
      /"postgres:\/\/ada@127\.0\.0\.1:1,127\.0\.0\.1:2\/directory" cannot be opened: no server answers there/,
    )
  })

  it('does not let the user in', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const other = new URL(url)
    other.username = 'nobody'
    other.password = 'hidden'
    const message = await refusal(other.href)
    expect(message).toMatch(/cannot be opened: role "nobody" does not exist\.\n.*Check the user name and the password/)
    expect(message).not.toContain('hidden')
  })

  it('has an address that says something impossible', async () => {
    expect(await refusal('postgres://u:hidden@h/d?statement_timeout=soon')).toBe(
      'The database "postgres://u@h/d" cannot be opened: its statement_timeout is "soon".\n  Give it in milliseconds, such as statement_timeout=10000.',
    )
    expect(await refusal('postgres://u:hidden@127.0.0.1/d?sslmode=verify-full&sslrootcert=/no/such/file')).toMatch(
      /no such file or directory.*\n.*Check the address and its parameters/,
    )
    expect(await refusal('postgres://u:hid/den@h/d')).not.toMatch(/hid|den/)
  })
})

describe('an address of PostgreSQL', () => {
  it('is all that a service needs', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    for (const database of [url, url.replace('postgres://', 'postgresql://'), url.replace('127.0.0.1', 'localhost')]) {
      const { ask, app } = await opened(notes, { database })
      expect((await ask('POST', '/note', { title: 'a' })).status).toBe(201)
      await app.close()
    }
    const { column } = await opened(notes, { database: url })
    expect(await column('id', '/note')).toEqual([1, 2, 3])
  })
})
