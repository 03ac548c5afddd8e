import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { fromDatabase } from './from-database.ts'

const tables = `
create table countries (id serial primary key, code text not null unique, unique (id, code));
create table cities (
  id serial primary key, country_id int not null references countries (id), country_code text not null,
  constraint a_pair foreign key (country_id, country_code) references countries (id, code)
);
create table pg_things (id serial primary key);
create table visits (id serial primary key, city int, code text references countries (code), foreign key (city, code) references countries (id, code));
`

async function read(schema: string, statements = tables) {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const name = pg.escapeIdentifier(schema)
  await ask(url, `create schema ${name}; set search_path to ${name}; ${statements}`)
  const reading = await fromDatabase(`${url}?schema=${encodeURIComponent(schema)}`)
  return { url, reading }
}

async function ask(url: string, text: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

it.each(['plain', 'Shop', 'select', 'my shop', `o"d\\d, 'one' & ä`])(
  'names an address under which the schema %j is the current one',
  async (schema) => {
    const { url, reading } = await read(schema)
    const [, options = ''] = /ends in (\S+)\.$/.exec(`${reading.notes[0]?.text}`) ?? []
    expect(await ask(`${url}${options}`, 'select current_schema() as name')).toEqual([{ name: schema }])
  },
)

it('takes a key of one column for a reference, whatever other keys the column is in, and tells of keys of several', async () => {
  const { reading } = await read('shop')
  const city = reading.nouns.find(({ name }) => name === 'city')
  expect(JSON.stringify(city)).toContain('reference')
  expect(reading.notes.map(({ place, text }) => `${place}: ${text}`)).toEqual(
    expect.arrayContaining([
      'cities: foreign key (country_id, country_code) references countries (id, code) is not declared: a reference is one column. What breaks it is answered 422.',
      'visits: foreign key (city, code) references countries (id, code) is not declared: a reference is one column. What breaks it is answered 422.',
      'pg_things: Left out: its table "pg_things" begins with "pg_".',
      'visits.code: A plain value: it points at countries (code), which is no identity here.',
    ]),
  )
  expect(reading.notes.filter(({ place }) => place === 'cities.country_id' || place === 'visits.city')).toEqual([])
})

const kinds = `
create extension citext;
create domain zip as varchar(5) not null check (value <> '');
create domain grade as int default 3 check (value > 0);
create domain state as text check (value in ('NEW', 'OLD'));
create domain tag_list as text[];
create table items (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity, counter serial,
  zip zip, grade grade not null, state state, name citext not null unique, remark citext,
  code char(3), ratio real, price money, opens time, closes timetz, tags text[], other_tags tag_list, body jsonb,
  unique (name, remark)
);
create table parts (id serial primary key, code char(3) not null, price money not null default 0, tags text[] not null);
create view shown as select * from items;
`

it('takes columns by what they hold, and says of each that it leaves out why, and what to do', async () => {
  const { reading } = await read('shop', kinds)
  const [item, part] = ['item', 'part'].map((name) => reading.nouns.find((one) => one.name === name))
  expect(item).toMatchInlineSnapshot(`
    {
      "fields": [
        {
          "declaration": "identity('guid')",
          "name": "id",
        },
        {
          "declaration": "text({ maxLength: 5 })",
          "name": "zip",
        },
        {
          "declaration": "integer({ min: 1, max: 2147483647 }).default(3)",
          "name": "grade",
        },
        {
          "declaration": "choice('NEW', 'OLD').nullable()",
          "name": "state",
        },
        {
          "declaration": "text()",
          "name": "name",
        },
        {
          "declaration": "text().nullable()",
          "name": "remark",
        },
      ],
      "identifier": "item",
      "name": "item",
      "options": {
        "label": "name",
        "table": "items",
      },
    }
  `)
  expect(JSON.stringify(part)).toContain('"offers":["list","read","replace","update","delete"]')
  expect(reading.notes.slice(1).map(({ place, text }) => `${place}: ${text}`)).toMatchInlineSnapshot(`
    [
      "shown: Left out: a view. Only plain tables are served.",
      "items.number: Left out: the database counts it up, and a record has one identity, its primary key.",
      "items.counter: Left out: the database counts it up, and a record has one identity, its primary key.",
      "items.zip: CHECK ((VALUE)::text <> ''::text) is not declared: the database refuses what breaks it, which is answered 422.",
      "items.name: It is citext: filters tell upper from lower case. It stays unique without regard to case: what is taken is answered 409.",
      "items.remark: It is citext: filters tell upper from lower case.",
      "items.code: Left out: character(3) is filled up with spaces. It fits as varchar.",
      "items.ratio: Left out: what is written is not what is read. It fits as double precision.",
      "items.price: Left out: its form depends on the server. It fits as numeric(18, 2).",
      "items.opens: Left out: a time without a day. It fits as text.",
      "items.closes: Left out: a time without a day. It fits as text.",
      "items.tags: Left out: a list of values has no place in a record. Declare a noun for them.",
      "items.other_tags: Left out: a list of values has no place in a record. Declare a noun for them.",
      "items.body: Left out: an object within a record.",
      "parts.code: Left out: character(3) is filled up with spaces. It fits as varchar.",
      "parts.price: Left out: its form depends on the server. It fits as numeric(18, 2).",
      "parts.tags: Left out: a list of values has no place in a record. Declare a noun for them.",
      "parts: No record can be created: code must have a value, and is left out. alter table "parts" alter "code" set default …, or drop not null; then leave offers out of the resource.",
      "parts: No record can be created: tags must have a value, and is left out. alter table "parts" alter "tags" set default …, or drop not null; then leave offers out of the resource.",
      "mocks: Left out: they find records by numbers, and some identities here are guids.",
    ]
  `)
})
