// PostgreSQL: IDs of history entries are drawn before the commit. A follower sees them in order, none too late.

import { setTimeout as pause } from 'node:timers/promises'
import { change, identity, noun, resource, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), line: text() }, { history: true })
const notes = serviceOf([plainApi(resource(note), resource(change))])

async function openNotes() {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const { get, send } = await openService(notes, { database: url })
  const openAnother = () => openService(notes, { database: url })
  await send('POST', '/note', { line: 'first' })
  const connect = async () => {
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  /** The lines of new notes, in the order in which a follower gets them. */
  const lines = async () => {
    const { results } = (await get('/change?afterId=0&kind=CREATED')).body
    return results.map(({ after }: { after: string }) => JSON.parse(after).line)
  }
  expect(await lines()).toEqual(['first'])
  const insert = (line: string) => `insert into "note" ("line") values ('${line}')`
  return { connect, lines, insert, send, openAnother }
}

it('waits for a transaction in flight with a lower ID, also if it began later', async () => {
  const { connect, lines, insert } = await openNotes()
  const [early, late] = [await connect(), await connect()]
  // The early transaction gets its transaction ID first, but its entry after the other one.
  await early.query('begin; select pg_current_xact_id()')
  await late.query(`begin; ${insert('late')}`)
  await early.query(`${insert('early')}; commit`)
  expect(await lines()).toEqual(['first'])
  await late.query('commit')
  expect(await lines()).toEqual(['first', 'late', 'early'])
})

it('does not start with the whole history if a transaction is in flight when a process starts', async () => {
  const { connect, insert, openAnother } = await openNotes()
  const client = await connect()
  await client.query(`begin; ${insert('second')}`)
  const { get } = await openAnother()
  const position = get('/change?wait=0')
  await pause(200)
  await client.query('commit')
  expect((await position).headers.link).toBe('<?wait=0&afterId=3>; rel="next"')
})

it('does not wait for a transaction that was rolled back', async () => {
  const { connect, lines, insert, send } = await openNotes()
  const client = await connect()
  await client.query(`begin; ${insert('never')}`)
  await send('POST', '/note', { line: 'second' })
  expect(await lines()).toEqual(['first'])
  await client.query('rollback')
  expect(await lines()).toEqual(['first', 'second'])
})

it('does not wait for transactions that change other tables, or only read', async () => {
  const { connect, lines, send } = await openNotes()
  const [writer, reader] = [await connect(), await connect()]
  await writer.query('begin; create table "other" ("id" integer)')
  await reader.query('begin isolation level repeatable read; select count(*) from "change"')
  await send('POST', '/note', { line: 'second' })
  expect(await lines()).toEqual(['first', 'second'])
})

it('moves on while transactions overlap all the time', async () => {
  const { connect, lines, insert } = await openNotes()
  const clients = [await connect(), await connect()]
  await clients[0]?.query(`begin; ${insert('0')}`)
  const seen: number[] = []
  for (let step = 1; step <= 8; step++) {
    // One of the two transactions is always open.
    await clients[step % 2]?.query(`begin; ${insert(`${step}`)}`)
    await clients[(step + 1) % 2]?.query('commit')
    seen.push((await lines()).length)
  }
  await clients[0]?.query('commit')
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(seen.at(-1)).toBeGreaterThan(5)
  expect(await lines()).toEqual(['first', '0', '1', '2', '3', '4', '5', '6', '7', '8'])
})
