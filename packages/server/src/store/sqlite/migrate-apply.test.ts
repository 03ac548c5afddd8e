import {
  type AnyField,
  choice,
  date,
  decimal,
  email,
  flag,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  text,
  timestamp,
} from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { modelOfNouns, type Use } from '../../../test/model-of-nouns.ts'
import { contents, rows, temporaryDatabase } from '../../../test/temporary-database.ts'
import { migrate } from './migrate.ts'

const department = noun('department', { id: identity(), name: text() })
const team = noun('team', { id: identity(), name: text() })

function model(fields: Record<string, AnyField>, use: Use = {}) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }), department, team], use)
}

/** Users with one field, whose values are given as SQL. */
function usersWith(field: AnyField, ...values: readonly string[]) {
  const database = temporaryDatabase()
  migrate(database, model({ it: field }), 'start')
  database.exec(`INSERT INTO department (id, name) VALUES (5, 'Sales'); INSERT INTO team (id, name) VALUES (5, 'Blue')`)
  for (const value of values) database.exec(`INSERT INTO user ("it") VALUES (${value})`)
  return database
}

function refusedApply(database: ReturnType<typeof usersWith>, fields: Record<string, AnyField>): string {
  const before = contents(database)
  let message = ''
  try {
    migrate(database, model(fields), 'apply')
  } catch (error) {
    message = (error as Error).message
  }
  expect(contents(database)).toBe(before)
  return message
}

const aGuid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

describe('apply converts', () => {
  const conversions: [string, AnyField, AnyField, string, unknown][] = [
    ['integer to text', integer(), text(), '-42', '-42'],
    ['text to integer', text(), integer(), `'-42'`, -42],
    ['integer to number', integer(), number(), '3', 3],
    ['number to integer', number(), integer(), '3.0', 3],
    ['number to text', number(), text(), '0.1', '0.1'],
    ['a whole number to text', number(), text(), '7.0', '7'],
    ['text to number', text(), number(), `'2.5'`, 2.5],
    ['integer to decimal', integer(), decimal({ scale: 2 }), '-3', -300],
    ['decimal to integer', decimal({ scale: 2 }), integer(), '-300', -3],
    ['decimal to a larger scale', decimal({ scale: 2 }), decimal({ scale: 4 }), '150', 15000],
    ['decimal to a smaller scale', decimal({ scale: 4 }), decimal({ scale: 2 }), '15000', 150],
    ['decimal to text', decimal({ scale: 2 }), text(), '-5', '-0.05'],
    ['text to decimal', text(), decimal({ scale: 3 }), `'-12.5'`, -12500],
    ['decimal to number', decimal({ scale: 2 }), number(), '1999', 19.99],
    ['number to decimal', number(), decimal({ scale: 2 }), '19.99', 1999],
    ['flag to text', flag(), text(), '1', 'true'],
    ['text to flag', text(), flag(), `'false'`, 0],
    ['flag to integer', flag(), integer(), '1', 1],
    ['integer to flag', integer(), flag(), '0', 0],
    ['date to timestamp', date(), timestamp(), `'2026-11-15'`, '2026-11-15T00:00:00.000Z'],
    ['midnight to date', timestamp(), date(), `'2026-11-15T00:00:00.000Z'`, '2026-11-15'],
    ['text to e-mail', text(), email(), `'a@b.c'`, 'a@b.c'],
    ['choice to text', choice('A'), text(), `'A'`, 'A'],
    ['text to choice', text(), choice('A', 'B'), `'B'`, 'B'],
    ['text to guid', text(), guid(), `'${aGuid}'`, aGuid],
    ['reference to integer', reference(() => department), integer(), '5', 5],
    ['integer to reference', integer(), reference(() => department), '5', 5],
  ]

  it.each(conversions)('%s', (_, before, after, value, converted) => {
    const database = usersWith(before.nullable(), value, 'NULL')
    migrate(database, model({ it: after.nullable() }), 'apply')
    expect(rows(database, 'SELECT it FROM user ORDER BY id')).toEqual([{ it: converted }, { it: null }])
    expect(migrate(database, model({ it: after.nullable() }), 'start').changes).toEqual([])
  })

  it('a decimal of eighteen digits without loss', () => {
    const database = usersWith(decimal({ precision: 18, scale: 2 }), '999999999999999999')
    migrate(database, model({ it: text() }), 'apply')
    expect(rows(database, 'SELECT it FROM user')).toEqual([{ it: '9999999999999999.99' }])
    migrate(database, model({ it: decimal({ precision: 18, scale: 2 }) }), 'apply')
    expect(rows(database, 'SELECT CAST(it AS TEXT) AS it FROM user')).toEqual([{ it: '999999999999999999' }])
  })
})

describe('apply refuses, and changes nothing', () => {
  const refusals: [string, AnyField, AnyField, string[], string][] = [
    [
      'text that is no integer',
      text(),
      integer(),
      [`'1'`, `'01'`, `'x'`],
      '2 values cannot become integer, such as "01" (id 2)',
    ],
    ['an integer beyond the safe ones', text(), integer(), [`'9007199254740993'`], '1 value cannot become integer'],
    ['a fraction as integer', number(), integer(), ['1.5'], '1 value cannot become integer, such as "1.5" (id 1)'],
    [
      'a scale that would cut',
      decimal({ scale: 2 }),
      decimal({ scale: 1 }),
      ['150', '155'],
      '1 value cannot become decimal of scale 1, such as "1.55" (id 2)',
    ],
    [
      'a scale that has no room',
      decimal({ scale: 2 }),
      decimal({ scale: 2 + 14 }),
      ['10000'],
      '1 value cannot become decimal of scale 16',
    ],
    ['more digits than a number holds', number(), decimal({ scale: 6 }), ['123456789012.345'], '1 value cannot become'],
    ['an hour as date', timestamp(), date(), [`'2026-11-15T01:00:00.000Z'`], '1 value cannot become date'],
    ['text that is no e-mail', text(), email(), [`'a'`], '1 value cannot become email, such as "a"'],
    [
      'a value outside the choice',
      choice('A', 'B'),
      choice('A'),
      [`'A'`, `'B'`],
      '1 value cannot become one of its choices, such as "B"',
    ],
    [
      'another target',
      reference(() => department),
      reference(() => team),
      ['5'],
      '1 value cannot become reference to "team" by integer',
    ],
    [
      'a reference to nothing',
      integer(),
      reference(() => department),
      ['5', '6'],
      '1 value would point at no "department", such as "6"',
    ],
    ['what has no conversion', flag(), date(), ['1'], '1 value cannot become date, such as "true"'],
  ]

  it.each(refusals)('%s', (_, before, after, values, message) => {
    const database = usersWith(before, ...values)
    expect(refusedApply(database, { it: after })).toContain(`field "it" of "user": ${message}`)
    database.exec('DELETE FROM user')
    migrate(database, model({ it: after }), 'apply')
  })

  it('a required field without default', () => {
    const database = usersWith(text(), `'x'`)
    expect(refusedApply(database, { it: text(), more: text() })).toContain(
      'field "more" of "user": 1 record would have no value',
    )
  })

  it('another identity, unless there are no records', () => {
    const database = usersWith(text(), `'x'`)
    const nouns = [noun('user', { id: identity('guid'), it: text() }), department, team]
    expect(() => migrate(database, modelOfNouns(nouns), 'apply')).toThrow(
      'field "id" of "user": 1 value cannot become guid identity',
    )
    const moved = [noun('user', { key: identity(), id: integer(), it: text() }), department, team]
    expect(() => migrate(database, modelOfNouns(moved), 'apply')).toThrow('must keep the identity that they have')
    database.exec('DELETE FROM user')
    migrate(database, modelOfNouns(nouns), 'apply')
    database.exec(`INSERT INTO user (id, it) VALUES ('${aGuid}', 'x')`)
  })

  it('links whose identities become others, unless there are none', () => {
    const [one, other] = [noun('user', { id: identity() }), noun('user', { id: identity('guid') })]
    const database = temporaryDatabase()
    migrate(database, modelOfNouns([one, team], { links: [link(one, team)] }), 'start')
    database.exec(
      'INSERT INTO user VALUES (1, 1); INSERT INTO team (id, name) VALUES (1, 1); INSERT INTO "user-team" VALUES (1, 1)',
    )
    const after = modelOfNouns([other, team], { links: [link(other, team)] })
    expect(() => migrate(database, after, 'apply')).toThrow(
      'link "user-team": 1 pair of identities cannot be converted',
    )
    database.exec('DELETE FROM "user-team"; DELETE FROM user')
    migrate(database, after, 'apply')
    database.exec(`INSERT INTO user VALUES ('${aGuid}', 1); INSERT INTO "user-team" VALUES ('${aGuid}', 1)`)
  })
})

describe('apply drops what is declared no longer', () => {
  it('a field with its index and its fold, and an unsafe change with the safe ones', () => {
    const database = temporaryDatabase()
    const use = { filtered: ['user.gone'], searched: ['user.gone'] }
    migrate(database, model({ gone: text(), kept: text(), at: reference(() => team).nullable() }, use), 'start')
    database.exec(`INSERT INTO user (gone, gone_folded, kept) VALUES ('a', 'a', 'b')`)
    const report = migrate(database, model({ kept: text(), added: flag().default(true) }), 'apply')
    expect(report.steps.map(({ sentence, isSafe }) => [sentence, isSafe])).toEqual([
      ['add field "added" to "user", drop field "gone" of "user", drop field "at" of "user"', false],
    ])
    expect(rows(database, 'SELECT * FROM user')).toEqual([{ id: 1, kept: 'b', _version: 1, added: 1 }])
  })

  it('a noun and a link, also where a new one takes the name', () => {
    const database = temporaryDatabase()
    const user = noun('user', { id: identity() })
    migrate(database, modelOfNouns([user, team], { links: [link(user, team)] }), 'start')
    database.exec(
      'INSERT INTO user VALUES (1, 1); INSERT INTO team (id, name) VALUES (1, 1); INSERT INTO "user-team" VALUES (1, 1)',
    )
    const pair = noun('user-team', { id: identity(), since: text() })
    migrate(database, modelOfNouns([user, pair]), 'apply')
    expect(
      rows(database, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '[a-r,t-z]*' ORDER BY 1`),
    ).toEqual([{ name: 'user' }, { name: 'user-team' }])
    database.exec(`INSERT INTO "user-team" (since) VALUES ('now')`)
  })
})

describe('a rebuilt table', () => {
  const person = noun('person', { id: identity(), name: text(), boss: reference(() => person).nullable() })
  const freed = noun('person', { id: identity(), name: text().nullable(), boss: reference(() => freed).nullable() })
  const child = (parent: () => typeof person | typeof freed) => noun('child', { id: identity(), of: reference(parent) })

  function family() {
    const database = temporaryDatabase()
    migrate(database, modelOfNouns([person, child(() => person)]), 'start')
    database.exec(`INSERT INTO person (name, boss) VALUES ('a', 2), ('b', NULL), ('c', NULL)`)
    database.exec('INSERT INTO child (of) VALUES (1); DELETE FROM person WHERE id = 3')
    return database
  }

  it('never gives the identity of a deleted record again', () => {
    const database = family()
    expect(migrate(database, modelOfNouns([freed, child(() => freed)]), 'start').steps[0]?.sql.join()).toContain(
      '_new_person',
    )
    expect(rows(database, `INSERT INTO person (name) VALUES ('d') RETURNING id`)).toEqual([{ id: 4 }])
  })

  it('never does so where all its records are gone', () => {
    const database = family()
    database.exec('DELETE FROM child; DELETE FROM person')
    migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')
    expect(rows(database, `INSERT INTO person (name) VALUES ('d') RETURNING id`)).toEqual([{ id: 4 }])
  })

  it('is what others, and its own records, still point at', () => {
    const database = family()
    migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')
    expect(rows(database, 'PRAGMA foreign_key_check')).toEqual([])
    expect(rows(database, 'SELECT "table" FROM pragma_foreign_key_list(?)'.replace('?', `'child'`))).toEqual([
      { table: 'person' },
    ])
    expect(rows(database, `SELECT "table" FROM pragma_foreign_key_list('person')`)).toEqual([{ table: 'person' }])
    expect(() => database.exec('DELETE FROM person WHERE id = 1')).toThrow('FOREIGN KEY')
    expect(() => database.exec('DELETE FROM person WHERE id = 2')).toThrow('FOREIGN KEY')
  })

  it('keeps versions', () => {
    const database = family()
    database.exec('UPDATE person SET _version = 7 WHERE id = 1')
    migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')
    expect(rows(database, 'SELECT _version FROM person')).toEqual([{ _version: 7 }, { _version: 1 }])
  })

  it('is not kept where references are broken already', () => {
    const database = family()
    database.exec('PRAGMA foreign_keys = OFF; UPDATE child SET of = 99; PRAGMA foreign_keys = ON')
    const before = contents(database)
    expect(() => migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')).toThrow(
      'A reference would point at nothing, such as one from "child" to "person".',
    )
    expect(contents(database)).toBe(before)
  })
})
