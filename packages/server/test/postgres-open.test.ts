// A PostgreSQL database that cannot be opened: a clear message without the password.
import { identity, noun, resource, text } from '@nomen/core'
import { DatabaseError, open } from '@nomen/server'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

async function rejection(database: string): Promise<string> {
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
    const message = await rejection(other.href)
    expect(message).toBe(
      `The database "postgres://nomen@${other.host}/nowhere" cannot be opened: the database does not exist.\n  Create it, or use an existing one.`,
    )
  })

  it('is on a server that does not respond', async () => {
    expect(await rejection('postgres://ada:hidden@127.0.0.1:1/directory')).toBe(
      'The database "postgres://ada@127.0.0.1:1/directory" cannot be opened: no server responds (ECONNREFUSED).\n  Start the server, or correct the host and port.',
    )
    expect(await rejection('postgres://ada:hidden@no-such-host.invalid/directory')).toMatch(/no server responds/)
    expect(await rejection('postgres://ada:hidden@127.0.0.1:1,127.0.0.1:2/directory')).toMatch(
      /"postgres:\/\/ada@127\.0\.0\.1:1,127\.0\.0\.1:2\/directory" cannot be opened: no server responds/,
    )
  })

  it('rejects the user', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const other = new URL(url)
    other.username = 'nobody'
    other.password = 'hidden'
    const message = await rejection(other.href)
    expect(message).toMatch(/cannot be opened: role "nobody" does not exist\.\n.*Check the user name and the password/)
    expect(message).not.toContain('hidden')
  })

  it('has an invalid URL', async () => {
    expect(await rejection('postgres://u:hidden@h/d?statement_timeout=soon')).toBe(
      'The database "postgres://u@h/d" cannot be opened: statement_timeout is "soon".\n  Use a number of milliseconds, such as statement_timeout=10000.',
    )
    expect(await rejection('postgres://u:hidden@127.0.0.1/d?sslmode=verify-full&sslrootcert=/no/such/file')).toMatch(
      /no such file or directory.*\n.*Check the URL and its parameters/,
    )
    expect(await rejection('postgres://u:hid/den@h/d')).not.toMatch(/hid|den/)
  })
})

describe('a server without a feature that tables need', () => {
  it('is rejected, and the error names what it lacks', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('drop extension plpgsql')
    const { message } = await open(notes, { database: url }).catch((thrown) => thrown)
    expect(message).toBe(
      [
        'PostgreSQL rejected a step: language "plpgsql" does not exist.',
        '  The server lacks trigger functions in PL/pgSQL: language "plpgsql" does not exist.',
        '  The server lacks triggers with transition tables: language "plpgsql" does not exist.',
        '  Nothing was changed.',
      ].join('\n'),
    )
    expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0)
  })
})

describe('a PostgreSQL URL', () => {
  it('is all that a service needs', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    for (const database of [url, url.replace('postgres://', 'postgresql://'), url.replace('127.0.0.1', 'localhost')]) {
      const { send, app } = await openService(notes, { database })
      expect((await send('POST', '/note', { title: 'a' })).status).toBe(201)
      await app.close()
    }
    const { column } = await openService(notes, { database: url })
    expect(await column('id', '/note')).toEqual([1, 2, 3])
  })
})
