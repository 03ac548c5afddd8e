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

async function read(schema: string) {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const name = pg.escapeIdentifier(schema)
  await ask(url, `create schema ${name}; set search_path to ${name}; ${tables}`)
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
