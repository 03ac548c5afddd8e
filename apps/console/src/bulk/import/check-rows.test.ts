// All rows of a file are checked before any of them is sent.
import { readShape } from '@nomen/core/openapi'
import { expect, it } from 'vitest'
import { fieldOf } from '../../model/record/field.ts'
import type { Json } from '../../model/service/openapi.ts'
import { checkRows } from './check-rows.ts'

const field = (name: string, schema: object, isRequired = true) => fieldOf(name, readShape(schema), isRequired)
const fields = [
  field('name', { type: 'string' }),
  field('email', { type: 'string', format: 'email', 'x-nomen-unique': true }),
  field('active', { type: 'boolean' }, false),
  field('status', { enum: ['OPEN', 'DONE'] }, false),
  field('born', { type: ['string', 'null'], format: 'date' }, false),
  field('seen', { type: 'string', format: 'date-time' }, false),
  field('team', { type: 'integer', 'x-nomen-reference': 'team' }, false),
]

/** Knows one team, and expects a person from another row. */
const labels = {
  resolve: async (body: Json) => {
    const isPending = body.team === 'Later'
    const reason = body.team === undefined || body.team === 'Known' ? undefined : 'Team: unknown.'
    return { body, reason, isPending }
  },
}

async function reasonsOf(...records: Json[]) {
  const rows = records.map((record, index) => ({ line: index + 2, record, fault: undefined }))
  const { ready, refused } = await checkRows(rows, fields, labels)
  return [ready.map(({ line }) => line), refused.map(({ row, reason }) => [row.line, reason])]
}

const ada = { name: 'Ada', email: 'ada@example.com' }

it('names the field of each error, and the rows without any are ready', async () => {
  expect(
    await reasonsOf(
      ada,
      { email: 'x' },
      { ...ada, email: 'b@example.com', active: 'maybe', status: 'AJAR' },
      { ...ada, email: 'c@example.com', born: '31.12.1815', seen: 'today' },
      { ...ada, email: 'd@example.com', active: true, status: 'OPEN', born: null, seen: '2026-01-01T00:00:00Z' },
    ),
  ).toEqual([
    [2, 6],
    [
      [3, 'Name is required. Email: Enter an e-mail address such as ada@example.com.'],
      [4, 'Active: Enter true or false. Status: Enter OPEN or DONE.'],
      [5, 'Born: Enter a date such as 2026-12-31. Seen: Enter a date and time such as 2026-12-31T23:59:00Z.'],
    ],
  ])
})

it('finds values that must be unique, and labels that no record has', async () => {
  expect(
    await reasonsOf(
      { ...ada, team: 'Known' },
      ada,
      { ...ada, email: 'b@example.com', team: 'Nobody' },
      { ...ada, email: 'c@example.com', team: 'Later' },
    ),
  ).toEqual([
    [2, 5],
    [
      [3, 'Email: same value as in line 2.'],
      [4, 'Team: unknown.'],
    ],
  ])
})

it('keeps the reason of a row that cannot be read', async () => {
  const row = { line: 4, record: undefined, fault: 'Not a JSON object.' }
  expect((await checkRows([row], fields, labels)).refused).toEqual([{ row, reason: 'Not a JSON object.' }])
})
