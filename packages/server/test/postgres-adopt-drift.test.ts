// Adopted tables that another program has changed since: a start says what is different, instead of requests that fail.
import { choice, identity, integer, link, noun, reference, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { foreignDatabase } from './foreign-database.ts'
import { opened, plainApi, serviceOf } from './opened.ts'

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

const summary = 'Adopted tables are not any more what they were when they were adopted.'
const lost =
  '- "people" has lost its column "_version", or triggers that raise it and keep count: they are gone, or disabled.'

/** What another program does, how it takes that back, and what is told meanwhile. */
const differences: readonly (readonly [string, string, ...string[]])[] = [
  [
    'alter table people rename first_name to firstname',
    'alter table people rename firstname to first_name',
    `"people"."first_name" is not there: no column holds "firstName". Is it .column('firstname')?`,
    '"people": nothing keeps first_name unique.',
    '"people"."firstname" is never null and has no default',
  ],
  [
    'alter table people drop age',
    'alter table people add age int not null default 1',
    '"people"."age" is not there: no column holds "age".',
  ],
  [
    'alter table people alter age type text',
    'alter table people alter age type int using age::int',
    '"people"."age" is text, which does not hold every integer.',
  ],
  [
    'alter table people alter age drop not null',
    'alter table people alter age set not null',
    '"people"."age" may be null: declare it nullable()',
  ],
  [
    `alter table people add born date not null default 'today'; alter table people alter born drop default`,
    'alter table people drop born',
    '"people"."born" is never null and has no default',
  ],
  [
    'alter table people drop constraint people_team_fkey',
    'alter table people add foreign key (team) references teams',
    '"people"."team" is no foreign key',
  ],
  [
    'alter table people drop constraint people_first_name_key',
    'alter table people add unique (first_name)',
    '"people": nothing keeps first_name unique.',
  ],
  [
    'alter table memberships rename to members',
    'alter table members rename to memberships',
    '"memberships" is not there any more: no table bears this name.',
  ],
  [
    'alter table memberships drop constraint memberships_pkey',
    'alter table memberships add primary key (person, team)',
    '"memberships" may hold a pair twice',
  ],
]

describe('an adopted table', () => {
  it('stops a start that it does not fit any more, which says how', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club.operations, 'adopt')
    for (const [change, back, ...told] of differences) {
      await run(change)
      const message = await open(club, { database: url }).catch((error) => error.message)
      expect([change, ...`${message}`.split('\n')]).toEqual([
        change,
        summary,
        ...told.map((one) => expect.stringContaining(`  - ${one}`)),
        '  Change the tables back; or declare them as they are now, and then:',
        '  Compare them again, and count anew, with: nomen migrate --adopt',
      ])
      await expect(migrateDatabase(url, club.operations, 'adopt')).rejects.toThrow(told[0])
      await run(back)
    }
    await run('alter table people rename age to years')
    await expect(migrateDatabase(url, club.operations, 'plan')).rejects.toThrow(summary)
    await run('alter table people rename years to age')
    const { get } = await opened(club, { database: url })
    expect((await get('/person?state=NEW')).body.pageInfo.numberOfRecords).toBe(1)
  })

  it('is counted anew by an adoption where what was added is gone', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club.operations, 'adopt')
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
        '  Compare them again, and count anew, with: nomen migrate --adopt',
      ])
      await migrateDatabase(url, club.operations, 'adopt')
      const { ask, get, app } = await opened(club, { database: url })
      const [{ number }] = await run('select count(*)::int + 1 as number from people')
      await run(`insert into people (first_name, team, age, state) values ('More ${number}', 1, 9, 'NEW')`)
      expect((await get('/person')).body.pageInfo.numberOfRecords).toBe(number)
      expect((await ask('PATCH', '/person/1', { age: number })).status).toBe(200)
      await app.close()
    }
  })

  it('may be changed in ways that nothing declared depends on', async () => {
    const { url, run } = await foreignDatabase(tables)
    await migrateDatabase(url, club.operations, 'adopt')
    await run(`alter table people add note text, alter first_name type varchar(80); create index on people (age);
      create table others (person int references people)`)
    const { get } = await opened(club, { database: url })
    expect((await get('/person')).body.pageInfo.numberOfRecords).toBe(2)
  })
})
