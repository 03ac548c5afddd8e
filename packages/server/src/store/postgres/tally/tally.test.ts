import {
  type AnyField,
  type AnyNoun,
  api,
  boolean,
  choice,
  identity,
  noun,
  reference,
  resource,
  text,
} from '@nomen/core'
import { type OpenService, open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modelOfNouns } from '../../../../test/model-of-nouns.ts'
import { migrate } from '../migrate/migrate.ts'

const state = choice('OPEN', 'DONE')

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function temporaryUrl(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

/** The tallies of every block, and the actual counts, in one snapshot. */
function difference(fields: readonly string[]): string {
  const keys = [
    `''`,
    ...fields.map(
      (field) => `'${field}' || coalesce('=' || replace(replace("${field}"::text, 'true', '1'), 'false', '0'), '')`,
    ),
  ]
  const counted = keys.map(
    (key) => `select ${key} as key, id >> 8 as block, count(*) as records from item group by 1, 2`,
  )
  const stored = `select key, node * 256 + part - 1 as block, amount::bigint as records
    from _tally_item cross join unnest(parts) with ordinality as each (amount, part) where level = 1`
  const top = `select sum(records) from _tally_item where level = 2 and key = '' `
  const recent = 'select key, block, records::bigint from _tally_item_delta'
  return `with tallied as (select key, block, sum(records) as records from (${stored} union all ${recent}) as parts group by 1, 2),
    counted as (${counted.join(' union all ')})
    select (select count(*) from item) as number,
      coalesce((${top}), 0) + coalesce((select sum(records) from _tally_item_delta where key = ''), 0) as total,
      (select json_agg(tallied) from tallied full join counted using (key, block)
        where coalesce(tallied.records, 0) <> coalesce(counted.records, 0)) as wrong`
}

async function expectCountsRight(client: pg.Client, fields: readonly string[]): Promise<number> {
  const { rows } = await client.query(difference(fields))
  expect(rows[0].wrong).toBeNull()
  expect(Number(rows[0].total)).toBe(Number(rows[0].number))
  return Number(rows[0].number)
}

function modelOf(fields: Record<string, AnyField>) {
  const filtered = Object.keys(fields).map((name) => `item.${name}`)
  return modelOfNouns([noun('item', { id: identity(), ...fields }) as AnyNoun], { indexed: filtered })
}

const before = { state: state.nullable(), name: text() }
const insert = `insert into item (id, state, name) values
  (1, 'OPEN', 'a'), (2, 'DONE', 'b'), (300, 'OPEN', 'c'), (200000, null, 'd'), (300000000, 'OPEN', 'e')`

async function databaseOf(fields: Record<string, AnyField>): Promise<pg.Client> {
  const client = await connected(await temporaryUrl())
  await migrate(client, modelOf(fields), 'start')
  await client.query(insert)
  return client
}

describe('tallies on PostgreSQL', () => {
  it('follow every insert, update and delete of any program, compacted or not', async () => {
    const client = await databaseOf(before)
    const compact = async () => (await client.query('select _tally_item_fold() as rows')).rows[0].rows
    expect(await compact()).not.toBe('0')
    await expectCountsRight(client, ['state'])
    await client.query(
      `update item set state = 'DONE' where id < 1000; update item set state = null, name = 'x' where id = 2`,
    )
    await expectCountsRight(client, ['state'])
    await client.query('delete from item where id > 1000')
    await expectCountsRight(client, ['state'])
    await compact()
    expect(await expectCountsRight(client, ['state'])).toBe(3)
    expect(await compact()).toBe('0')
  })

  it.each([
    ['a choice is renamed', { phase: state.nullable().renamedFrom('state'), name: text() }, ['phase']],
    ['a choice is dropped', { name: text() }, []],
    ['a field that is not counted by changes', { state: state.nullable(), name: text().nullable() }, ['state']],
    ['a text becomes a choice', { state: state.nullable(), name: choice('a', 'b', 'c', 'd', 'e') }, ['name', 'state']],
  ])('are correct when %s, and stay maintained', async (_, fields, counted) => {
    const client = await databaseOf(before)
    await migrate(client, modelOf(fields), 'apply')
    await expectCountsRight(client, counted)
    await client.query('delete from item where id = 1')
    expect(await expectCountsRight(client, counted)).toBe(4)
  })

  it('are correct after a truncate, or a change of identities', async () => {
    const client = await connected(await temporaryUrl())
    const other = noun('other', { id: identity() })
    const item = noun('item', { id: identity(), ...before, other: reference(() => other).nullable() })
    await migrate(client, modelOfNouns([other, item], { indexed: ['item.state'] }), 'start')
    for (const [statements, number] of [
      ['truncate item', 0],
      [`begin; truncate item; ${insert}; commit`, 5],
      [`begin; truncate item; ${insert}; rollback`, 6],
      ['truncate other, item', 0],
      ['truncate other cascade', 0],
      [`truncate item restart identity; insert into item (state, name) values (null, 'x')`, 1],
      ['update item set id = id + 1000', 6],
    ] as const) {
      await client.query(`delete from item; ${insert}; select _tally_item_fold()`)
      await client.query(`insert into item (id, state, name) values (7, 'DONE', 'not compacted')`)
      await client.query(statements)
      expect([statements, await expectCountsRight(client, ['state'])]).toEqual([statements, number])
      await client.query('select _tally_item_fold()')
      await expectCountsRight(client, ['state'])
    }
  })

  it('are correct if a transaction with an older snapshot truncates the table', async () => {
    const url = await temporaryUrl()
    const [client, concurrent] = [await connected(url), await connected(url)]
    await migrate(client, modelOf(before), 'start')
    await concurrent.query('begin isolation level repeatable read; select 1')
    await client.query(
      `${insert}; select _tally_item_fold(); insert into item (id, state, name) values (7, 'OPEN', 'not compacted')`,
    )
    await concurrent.query('truncate item; commit')
    expect(await expectCountsRight(client, ['state'])).toBe(0)
  })

  it('agree with count(*) in every snapshot during concurrent writes, compactions and a truncate', async () => {
    const url = await temporaryUrl()
    const client = await connected(url)
    await migrate(client, modelOf(before), 'start')
    let isOver = false
    const meanwhile = async (statement: string) => {
      const connection = await connected(url)
      for (; !isOver; ) await connection.query(statement)
    }
    const writers = [
      meanwhile(
        `insert into item (state, name) select (array['OPEN', 'DONE'])[n % 2 + 1], 'x' from generate_series(1, 300) n`,
      ),
      meanwhile(`delete from item where id in (select id from item limit 20 for update skip locked)`),
      meanwhile(
        `update item set state = 'DONE' where id in (select id from item where state = 'OPEN' limit 5 for update skip locked)`,
      ),
      meanwhile('select _tally_item_fold()'),
    ]
    const observer = await connected(url)
    for (let turn = 0; turn < 40; turn++) {
      if (turn % 4 === 3) await client.query('truncate item')
      await expectCountsRight(observer, ['state'])
    }
    isOver = true
    await Promise.all(writers)
    await expectCountsRight(observer, ['state'])
  })

  it('agree with count(*) in every snapshot during many concurrent writes and compactions', async () => {
    const url = await temporaryUrl()
    const item = noun('item', { id: identity(), state: state.default('OPEN'), urgent: boolean().default(false) })
    const things = api('things', { versioning: 'per-noun', writes: 'nested', resources: [resource(item)] })
    const instances = await Promise.all(
      [1, 2].map(() => open(service({ name: 'things', apis: [things] }), { database: url, waitLimitMs: 0 })),
    )
    onTestFinished(async () => {
      for (const instance of instances) await instance.close()
    })
    const observer = await connected(url)
    let isWriting = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const app = instances[writer % 2] as OpenService
      for (let turn = 0; turn < 60; turn++) {
        const created = await inject(app, { method: 'POST', url: '/item', payload: { urgent: turn % 3 === 0 } })
        expect(created.statusCode, created.body).toBe(201)
        const { id } = created.json()
        if (turn % 2 === 0) await inject(app, { method: 'PATCH', url: `/item/${id}`, payload: { state: 'DONE' } })
        if (turn % 4 === 1) await inject(app, { method: 'DELETE', url: `/item/${id}` })
      }
    })
    const compacting = (async () => {
      while (isWriting) await observer.query('select _tally_item_fold()')
    })()
    const observing = (async () => {
      const client = await connected(url)
      let checks = 0
      for (; isWriting; checks++) await expectCountsRight(client, ['state', 'urgent'])
      return checks
    })()
    await Promise.all(writers)
    isWriting = false
    await compacting
    expect(await observing).toBeGreaterThan(10)
    expect(await expectCountsRight(observer, ['state', 'urgent'])).toBe(8 * 45)
    const listed = await Promise.all(instances.map((app) => inject(app, '/item?state=DONE&pageSize=1')))
    expect(listed.map((response) => response.json().pageInfo.numberOfRecords)).toEqual([8 * 30, 8 * 30])
  })
})
