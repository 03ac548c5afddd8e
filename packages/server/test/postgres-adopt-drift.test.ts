// Adopted tables that another program has changed: the start reports the differences, instead of failing requests.
import { choice, identity, integer, link, noun, reference, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { foreignDatabase } from './foreign-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const tables = `
create table teams (id serial primary key, name text not null);
create table people (
  id serial primary key, first_name varchar(40) not null unique, team int not null references teams, age int not null, state text not null
);
create table memberships (person int references people, team int references teams, primary key (person, team));
insert into teams (name) values ('one'), ('two');
insert into people (first_name, team, age, state) values ('Ada', 1, 7, 'NEW'), ('Bob', 2, 8, 'OLD');
`
const team = noun('team', { id: identity(), name: text() }, { table: 'teams' })
const person = noun(
  'person',
  {
    id: identity(),
    firstName: text({ maxLength: 40 }).column('first_name').unique(),
    team: reference(() => team),
    age: integer({ min: 0, max: 200 }),
    state: choice('NEW', 'OLD'),
  },
  { table: 'people' },
)
const membership = link(person, team, { table: 'memberships', columns: ['person', 'team'] })
const club = serviceOf([
  plainApi(resource(team), resource(person, { children: [resource(team, { via: membership })] })),
])

const summary = 'Adopted tables have changed since they were adopted.'
const lost =
  '- "people" has lost its column "_version", or the triggers for versions and stored totals are missing or disabled.'

/** A change of another program, how it is undone, and the report in between. */
const differences: readonly (readonly [string, string, ...string[]])[] = [
  [
    'alter table people rename first_name to firstname',
    'alter table people rename firstname to first_name',
    `the column "people"."first_name" of the field "firstName" does not exist. Did you mean .column('firstname')?`,
    '"people": no unique index on first_name.',
    '"people"."firstname" is NOT NULL without a default',
  ],
  [
    'alter table people drop age',
    'alter table people add age int not null default 1',
    'the column "people"."age" of the field "age" does not exist.',
  ],
  [
    'alter table people alter age type text',
    'alter table people alter age type int using age::int',
    '"people"."age" is text, which cannot store every integer.',
  ],
  [
    'alter table people alter age drop not null',
    'alter table people alter age set not null',
    '"people"."age" can be null: declare it nullable()',
  ],
  [
    `alter table people add born date not null default 'today'; alter table people alter born drop default`,
    'alter table people drop born',
    '"people"."born" is NOT NULL without a default',
  ],
  [
    'alter table people drop constraint people_team_fkey',
    'alter table people add foreign key (team) references teams',
    '"people"."team" is not a foreign key',
  ],
  [
    'alter table people drop constraint people_first_name_key',
    'alter table people add unique (first_name)',
    '"people": no unique index on first_name.',
  ],
  [
    'alter table memberships rename to members',
    'alter table members rename to memberships',
    'the table "memberships" no longer exists.',
  ],
  [
    'alter table memberships drop constraint memberships_pkey',
    'alter table memberships add primary key (person, team)',
    '"memberships" can contain a pair twice',
  ],
]

describe('an adopted table', () => {
  it('stops the start if it no longer matches, with the differences', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club, 'adopt')
    for (const [change, back, ...findings] of differences) {
      await run(change)
      const message = await open(club, { database: url }).catch((error) => error.message)
      expect([change, ...`${message}`.split('\n')]).toEqual([
        change,
        summary,
        ...findings.map((finding) => expect.stringContaining(`  - ${finding}`)),
        '  Revert the changes of the tables, or adapt the declarations. Then:',
        '  To compare them again and recount, run: nomen migrate --adopt',
      ])
      await expect(migrateDatabase(url, club, 'adopt')).rejects.toThrow(findings[0])
      await run(back)
    }
    await run('alter table people rename age to years')
    await expect(migrateDatabase(url, club, 'plan')).rejects.toThrow(summary)
    await run('alter table people rename years to age')
    const { get } = await openService(club, { database: url })
    expect((await get('/person?state=NEW')).body.pageInfo.numberOfRecords).toBe(1)
  })

  it('is counted again by an adoption if the additions of Nomen are missing', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club, 'adopt')
    for (const change of [
      'alter table people disable trigger user',
      'drop function _tally_people_on_insert cascade',
      'alter table people drop column _version cascade',
      'drop table _tally_people_delta; alter table people disable trigger user',
    ]) {
      await run(change)
      const message = await open(club, { database: url }).catch((error) => error.message)
      expect([change, ...`${message}`.split('\n')]).toEqual([
        change,
        summary,
        `  ${lost}`,
        '  To compare them again and recount, run: nomen migrate --adopt',
      ])
      await migrateDatabase(url, club, 'adopt')
      const { send, get, app } = await openService(club, { database: url })
      const [{ number }] = await run('select count(*)::int + 1 as number from people')
      await run(`insert into people (first_name, team, age, state) values ('More ${number}', 1, 9, 'NEW')`)
      expect((await get('/person')).body.pageInfo.numberOfRecords).toBe(number)
      expect((await send('PATCH', '/person/1', { age: number })).status).toBe(200)
      await app.close()
    }
  })

  it('may change in ways that no declaration depends on', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club, 'adopt')
    await run(`alter table people add note text, alter first_name type varchar(80); create index on people (age);
      create table others (person int references people)`)
    const { get } = await openService(club, { database: url })
    expect((await get('/person')).body.pageInfo.numberOfRecords).toBe(2)
  })
})
