// Columns with other types: domains, citext, identity columns and sequences.
import { choice, decimal, identity, integer, noun, resource, text } from '@nomen/core'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { foreignDatabase } from './foreign-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const tables = `
create extension citext;
create domain short as varchar(5) not null default 'none';
create domain shorter as short check (value <> 'bad');
create domain price as numeric(8, 2) check (value >= 0);
create domain state as text check (value in ('NEW', 'OLD'));
create table things (
  id int generated always as identity primary key,
  number bigint generated always as identity,
  serial serial,
  code shorter,
  price price,
  state state not null,
  name citext not null unique,
  remark citext,
  label char(4) not null default 'ab',
  tags text[] not null default '{}'
);
insert into things (code, price, state, name, remark) values
  ('a', 1.5, 'NEW', 'Ada', 'Zoë'), ('B', null, 'OLD', 'bob', 'zoë'), (default, 3, 'NEW', 'Cy', null);
`

const fields = {
  id: identity(),
  code: text({ maxLength: 5 }).default('none'),
  price: decimal({ precision: 8, scale: 2 }).nullable(),
  state: choice('NEW', 'OLD'),
  name: text(),
  remark: text().nullable(),
}

const serviceFor = (extraFields: Readonly<Record<string, unknown>>) =>
  serviceOf([plainApi(resource(noun('thing', extraFields as typeof fields, { table: 'things' })))])

describe('columns of other types', () => {
  it('are adopted by their values, and served', async () => {
    const { url, run } = await foreignDatabase(tables)
    const service = serviceFor(fields)
    await migrateDatabase(url, service, 'adopt')
    const { send } = await openService(service, { database: url })
    const ids = async (query: string) => {
      const { status, body } = await send('GET', `/thing?${query}`)
      expect(status).toBe(200)
      return body.results.map(({ id }: { id: number }) => id)
    }
    expect((await send('GET', '/thing/1')).body).toMatchObject({ code: 'a', price: '1.50', name: 'Ada', remark: 'Zoë' })
    // A filter on citext compares exactly, with one value or with several.
    expect([await ids('name=Ada'), await ids('name=ada'), await ids('name=ada&name=bob')]).toEqual([[1], [], [2]])
    expect([await ids('remark=Zo%C3%AB'), await ids('remark=zo%C3%AB&remark=x')]).toEqual([[1], [2]])
    expect([await ids('sort=name'), await ids('sort=-code')]).toEqual([
      [1, 3, 2],
      [3, 1, 2],
    ])
    expect([await ids('state=NEW'), await ids('price=3.00')]).toEqual([[1, 3], [3]])
    const created = await send('POST', '/thing', { state: 'OLD', name: 'Di' })
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ code: 'none', price: null })])
    expect(await run(`select number::int, serial, label, tags from things where name = 'di'`)).toEqual([
      { number: 4, serial: 4, label: 'ab  ', tags: [] },
    ])
    const conflict = await send('POST', '/thing', { state: 'OLD', name: 'ADA' })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'value-taken'])
    const rejected = await send('PATCH', '/thing/1', { code: 'bad' })
    expect([rejected.status, rejected.body.code]).toEqual([422, 'rule-broken'])
  })

  it.each([
    ['code', text(), 'is shorter: declare its limit: text({ maxLength: 5 }).'],
    ['code', text({ maxLength: 5 }).nullable(), 'has a not-null constraint: remove nullable().'],
    ['number', integer(), 'is filled from a sequence: remove the field "number".'],
    ['serial', integer(), 'is filled from a sequence: remove the field "serial".'],
    ['name', text().unique(), 'has the type citext. unique() compares case-sensitively, so remove it.'],
    ['name', choice('a'), 'is citext, which cannot store all of "a".'],
  ])('are rejected if they do not match: %s', async (column, field, misfit) => {
    const { url } = await foreignDatabase(tables)
    const service = serviceFor({ ...fields, [column]: field })
    const { obstacles } = await migrateDatabase(url, service, 'adopt-plan')
    expect(obstacles.map((obstacle) => `${JSON.stringify(obstacle)}`).join()).toContain(
      JSON.stringify(misfit).slice(1, -1),
    )
  })
})
