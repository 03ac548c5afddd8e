// Writes of adopted tables with foreign keys of another program: deferred and cascading ones.
import { decimal, identity, integer, noun, reference, resource, text } from '@nomen/core'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { foreignDatabase, someoneWaits } from './foreign-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const books = `
create table codes (id int primary key);
insert into codes select generate_series(1, 10);
create table accounts (id serial primary key, name text not null);
insert into accounts (name) select 'Account ' || n from generate_series(1, 5) n;
create table entries (
  id serial primary key, words text not null,
  account int not null references accounts deferrable initially deferred,
  code int references codes deferrable initially deferred
);
create table audits (account int references accounts deferrable initially deferred);
insert into audits values (5);
create function speak() returns trigger language plpgsql as 'begin if new.words = ''never'' then raise exception ''not this word''; end if; return null; end';
create constraint trigger speaking after insert or update on entries deferrable initially deferred for each row execute function speak();
`
const account = noun('account', { id: identity(), name: text() }, { table: 'accounts' })
const entry = noun(
  'entry',
  {
    id: identity(),
    words: text(),
    account: reference(() => account),
    code: integer({ min: -2_147_483_648, max: 2_147_483_647 }).nullable(),
  },
  { table: 'entries' },
)
const ledger = serviceOf([plainApi(resource(account), resource(entry))])

describe('deferred foreign keys', () => {
  it('reject only the write that breaks them', async () => {
    const { url, run } = await foreignDatabase(books)
    await migrateDatabase(url, ledger, 'adopt')
    const { send, get } = await openService(ledger, { database: url })
    const bodies = Array.from({ length: 30 }, (_, at) => ({
      words: at % 10 === 4 ? 'never' : `entry ${at}`,
      account: at % 10 === 7 ? 99 : 1,
      code: at % 10 === 2 ? 99 : 3,
    }))
    const responses = await Promise.all(bodies.map((body) => send('POST', '/entry', body)))
    expect(responses.map(({ status }) => status)).toEqual(
      bodies.map((_, at) => ([2, 4, 7].includes(at % 10) ? 422 : 201)),
    )
    expect(
      responses.slice(0, 10).flatMap(({ status, body }) => (status === 422 ? [[body.code, body.detail]] : [])),
    ).toEqual([
      ['rule-broken', 'The database rejected the write: the foreign key "entries_code_fkey".'],
      ['rule-broken', 'The database rejected the record: not this word.'],
      ['reference-not-found', expect.stringContaining('account')],
    ])
    expect(await run('select count(*)::int from entries')).toEqual([{ count: 21 }])
    expect((await get('/entry')).body.pageInfo.numberOfRecords).toBe(21)

    const key = { 'idempotency-key': 'once' }
    expect((await send('POST', '/entry', { words: 'a', account: 1, code: 99 }, key)).status).toBe(422)
    expect((await send('POST', '/entry', { words: 'a', account: 1, code: 9 }, key)).status).toBe(201)
    const { body, headers } = await get('/entry?pageSize=1')
    const [{ id }] = body.results
    expect((await send('PATCH', `/entry/${id}`, { code: 99 })).status).toBe(422)
    const tag = `${(await get(`/entry/${id}`)).headers.etag}`
    expect(headers.etag).not.toBe(tag)
    expect((await send('PATCH', `/entry/${id}`, { words: 'never' }, { 'if-match': tag })).status).toBe(422)
    expect((await send('PATCH', `/entry/${id}`, { words: 'said' }, { 'if-match': tag })).status).toBe(200)
    const gone = await send('DELETE', '/account/5')
    expect([gone.status, gone.body.detail]).toEqual([
      422,
      'The database rejected the write: the foreign key "audits_account_fkey".',
    ])
    expect((await send('DELETE', '/account/4')).status).toBe(200)
  })

  it('reject only the row of a load that breaks them', async () => {
    const { url, run } = await foreignDatabase(books)
    await migrateDatabase(url, ledger, 'adopt')
    const lines = Array.from({ length: 40 }, (_, at) => `${at === 11 ? 'never' : 'w'},1,${at === 23 ? 99 : 3}`)
    const rejects: string[] = []
    const report = await loadRecords(ledger, {
      database: url,
      noun: 'entry',
      source: sourceOf(`words,account,code\n${lines.join('\n')}\n`),
      onReject: ({ line, reason }) => void rejects.push(`${line}: ${reason}`),
    })
    expect(report).toMatchObject({ loaded: 38, rejected: 2 })
    expect(rejects).toEqual([
      expect.stringMatching(/^13: .*not this word/),
      expect.stringMatching(/^25: .*the foreign key "entries_code_fkey"/),
    ])
    expect(await run('select count(*)::int from entries')).toEqual([{ count: 38 }])
  })
})

const stock = `
create table goods (id serial primary key, name text not null, amount bigint, price numeric(18, 2), part_of int references goods);
create function double_amount() returns trigger language plpgsql as 'begin if new.name = ''double'' then new.amount := (new.amount * 2)::int; end if; return new; end';
create trigger doubling before insert or update on goods for each row execute function double_amount();
`
const good = noun(
  'good',
  {
    id: identity(),
    name: text(),
    amount: integer().nullable(),
    price: decimal({ precision: 18, scale: 2 }).nullable(),
    partOf: reference(() => good)
      .column('part_of')
      .nullable(),
  },
  { table: 'goods' },
)
const shop = serviceOf([plainApi(resource(good))])

describe('a value that is out of the range of its column', () => {
  it('is rejected once, with the reason, by a create, a change and a load', async () => {
    const { url, run } = await foreignDatabase(stock)
    await migrateDatabase(url, shop, 'adopt')
    const { send, get } = await openService(shop, { database: url })
    expect((await send('POST', '/good', { name: 'screw', amount: 1 })).status).toBe(201)
    const overflow = await send('POST', '/good', { name: 'double', amount: 2_000_000_000 })
    expect([overflow.status, overflow.body.code, overflow.body.detail]).toEqual([
      422,
      'rule-broken',
      'The database rejected the record: a value is out of range (integer out of range).',
    ])
    const rejects: string[] = []
    const report = await loadRecords(shop, {
      database: url,
      noun: 'good',
      source: sourceOf('name,amount\nbolt,1\ndouble,2000000000\nwasher,2\n'),
      onReject: ({ line, reason }) => void rejects.push(`${line}: ${reason}`),
    })
    expect(report).toMatchObject({ loaded: 2, rejected: 1 })
    expect(rejects).toEqual([expect.stringMatching(/^3: .*a value is out of range/)])
    // Another program narrows the columns while the service runs.
    await run('alter table goods alter amount type int, alter price type numeric(6, 2)')
    const responses = [
      await send('PATCH', '/good/1', { amount: 3_000_000_000 }),
      await send('PATCH', '/good/1', { price: '123456.00' }),
      await send('POST', '/good', { name: 'nail', amount: 3_000_000_000, partOf: 3_000_000_000 }),
    ]
    expect(responses.map(({ status, body }) => [status, body.code, body.detail])).toEqual([
      [422, 'rule-broken', expect.stringContaining('is out of range')],
      [422, 'rule-broken', 'The database rejected the record: a value is out of range (numeric field overflow).'],
      [422, 'reference-not-found', expect.stringContaining('partOf')],
    ])
    expect((await get('/good?amount=3000000000')).body.results).toEqual([])
    expect(await run('select count(*)::int from goods')).toEqual([{ count: 3 }])
  })
})

const rooms = `
create table houses (id serial primary key, name text not null);
create table rooms (id serial primary key, house int not null references houses on delete cascade, name text not null);
create table guests (id serial primary key, room int not null references rooms on delete cascade, name text not null);
insert into houses (name) values ('one'), ('two');
insert into rooms (house, name) values (1, 'a'), (1, 'b'), (2, 'c');
`
const house = noun('house', { id: identity(), name: text() }, { table: 'houses' })
const room = noun('room', { id: identity(), house: reference(() => house), name: text() }, { table: 'rooms' })
const guest = noun('guest', { id: identity(), room: reference(() => room), name: text() }, { table: 'guests' })
const hotel = serviceOf([plainApi(resource(house, { children: [resource(room)] }), resource(guest))])

describe('cascading foreign keys', () => {
  it('delete no record that references an owned record while its owner is deleted', async () => {
    const database = await foreignDatabase(rooms)
    const { url, run, connect } = database
    await migrateDatabase(url, hotel, 'adopt')
    const { send } = await openService(hotel, { database: url })
    const other = await connect()
    await other.query(`begin; insert into guests (room, name) values (2, 'Ada')`)
    const deleting = send('DELETE', '/house/1')
    await someoneWaits(database)
    await other.query('commit')
    const { status, body } = await deleting
    expect([status, body.code]).toEqual([409, 'still-referenced'])
    expect(await run('select name from guests')).toEqual([{ name: 'Ada' }])
    expect(await run('select count(*)::int from rooms')).toEqual([{ count: 3 }])
    await run('delete from guests')
    expect((await send('DELETE', '/house/1')).status).toBe(200)
    expect(await run('select name from rooms')).toEqual([{ name: 'c' }])
  })
})
