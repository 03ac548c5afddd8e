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
  await query(url, `create schema ${name}; set search_path to ${name}; ${statements}`)
  const reading = await fromDatabase(`${url}&schema=${encodeURIComponent(schema)}`)
  return { url, reading }
}

async function query(url: string, text: string) {
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
    expect(await query(`${url}${options}`, 'select current_schema() as name')).toEqual([{ name: schema }])
  },
)

it('declares a foreign key of one column as a reference, and notes foreign keys of several columns', async () => {
  const { reading } = await read('shop')
  const city = reading.nouns.find(({ name }) => name === 'city')
  expect(JSON.stringify(city)).toContain('reference')
  expect(reading.notes.map(({ source, text }) => `${source}: ${text}`)).toEqual(
    expect.arrayContaining([
      'cities: foreign key (country_id, country_code) references countries (id, code) is not declared: a reference has one column. Violations get 422.',
      'visits: foreign key (city, code) references countries (id, code) is not declared: a reference has one column. Violations get 422.',
      'pg_things: Left out: the table "pg_things" begins with "pg_", which PostgreSQL reserves.',
      'visits.code: A plain value: it references countries (code), which is not the ID of a noun.',
    ]),
  )
  expect(reading.notes.filter(({ source }) => source === 'cities.country_id' || source === 'visits.city')).toEqual([])
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

it('maps columns to fields by type, and notes each column that it leaves out with the reason', async () => {
  const { reading } = await read('shop', kinds)
  const [item, part] = ['item', 'part'].map((name) => reading.nouns.find((noun) => noun.name === name))
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
  expect(reading.notes.slice(1).map(({ source, text }) => `${source}: ${text}`)).toMatchInlineSnapshot(`
    [
      "shown: Left out: a view. Only plain tables are supported.",
      "items.number: Left out: a generated number, but only the primary key can be the identity of a record.",
      "items.counter: Left out: a generated number, but only the primary key can be the identity of a record.",
      "items.zip: CHECK ((VALUE)::text <> ''::text) is not declared: the database enforces it, and violations get 422.",
      "items.name: It is citext: filters are case-sensitive. It remains unique case-insensitively: a duplicate gets 409.",
      "items.remark: It is citext: filters are case-sensitive.",
      "items.code: Left out: character(3) is padded with spaces. Change its type to varchar.",
      "items.ratio: Left out: values are rounded when stored. Change its type to double precision.",
      "items.price: Left out: its format depends on the server. Change its type to numeric(18, 2).",
      "items.opens: Left out: a time without a date. Change its type to text.",
      "items.closes: Left out: a time without a date. Change its type to text.",
      "items.tags: Left out: a field cannot be an array. Declare a noun for its values.",
      "items.other_tags: Left out: a field cannot be an array. Declare a noun for its values.",
      "items.body: Left out: a field cannot be an object.",
      "parts.code: Left out: character(3) is padded with spaces. Change its type to varchar.",
      "parts.price: Left out: its format depends on the server. Change its type to numeric(18, 2).",
      "parts.tags: Left out: a field cannot be an array. Declare a noun for its values.",
      "parts: Records cannot be created: code needs a value, but is left out. Fix: alter table "parts" alter "code" set default …, or drop not null; then remove offers from the resource.",
      "parts: Records cannot be created: tags needs a value, but is left out. Fix: alter table "parts" alter "tags" set default …, or drop not null; then remove offers from the resource.",
      "mocks: Left out: mocks support only numeric IDs, and some IDs are UUIDs.",
    ]
  `)
})
