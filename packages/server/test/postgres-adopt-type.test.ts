// Columns of types that are another program's own: domains, citext, numbers that the database counts up.
import { choice, decimal, identity, integer, noun, resource, text } from '@nomen/core'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { foreignDatabase } from './foreign-database.ts'
import { opened, plainApi, serviceOf } from './opened.ts'

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
  remark: text().nullable().unindexed(),
}

const serviceFor = (given: Readonly<Record<string, unknown>>) =>
  serviceOf([plainApi(resource(noun('thing', given as typeof fields, { table: 'things' })))])

describe('columns of types of their own', () => {
  it('are adopted by what they hold, and served', async () => {
    const { url, run } = await foreignDatabase(tables)
    const service = serviceFor(fields)
    await migrateDatabase(url, service.operations, 'adopt')
    const { ask } = await opened(service, { database: url })
    const ids = async (query: string) => {
      const { status, body } = await ask('GET', `/thing?${query}`)
      expect(status).toBe(200)
      return body.results.map(({ id }: { id: number }) => id)
    }
    expect((await ask('GET', '/thing/1')).body).toMatchObject({ code: 'a', price: '1.50', name: 'Ada', remark: 'Zoë' })
    // citext is compared exactly where it is asked for, in whatever way.
    expect([await ids('name=Ada'), await ids('name=ada'), await ids('name=ada&name=bob')]).toEqual([[1], [], [2]])
    expect([await ids('remark=Zo%C3%AB'), await ids('remark=zo%C3%AB&remark=x')]).toEqual([[1], [2]])
    expect([await ids('sort=name'), await ids('sort=-code')]).toEqual([
      [1, 3, 2],
      [3, 1, 2],
    ])
    expect([await ids('state=NEW'), await ids('price=3.00')]).toEqual([[1, 3], [3]])
    const created = await ask('POST', '/thing', { state: 'OLD', name: 'Di' })
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ code: 'none', price: null })])
    expect(await run(`select number::int, serial, label, tags from things where name = 'di'`)).toEqual([
      { number: 4, serial: 4, label: 'ab  ', tags: [] },
    ])
    const taken = await ask('POST', '/thing', { state: 'OLD', name: 'ADA' })
    expect([taken.status, taken.body.code]).toEqual([409, 'value-taken'])
    const refused = await ask('PATCH', '/thing/1', { code: 'bad' })
    expect([refused.status, refused.body.code]).toEqual([422, 'rule-broken'])
  })

  it.each([
    ['code', text(), 'is shorter: declare no more, such as text({ maxLength: 5 }).'],
    ['code', text({ maxLength: 5 }).nullable(), 'is never null: leave nullable() out.'],
    ['number', integer(), 'is counted up by the database: leave "number" out.'],
    ['serial', integer(), 'is counted up by the database: leave "serial" out.'],
    ['name', text().unique(), 'is citext, which takes texts for equal that differ in case: leave unique() out'],
    ['name', choice('a'), 'is citext, which does not hold every one of "a".'],
  ])('are refused where they do not fit: %s', async (column, field, misfit) => {
    const { url } = await foreignDatabase(tables)
    const service = serviceFor({ ...fields, [column]: field })
    const { obstacles } = await migrateDatabase(url, service.operations, 'adopt-plan')
    expect(obstacles.map((one) => `${JSON.stringify(one)}`).join()).toContain(JSON.stringify(misfit).slice(1, -1))
  })
})
