import {
  choice,
  decimal,
  email,
  flag,
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
import { contents, rows, temporaryDatabase, temporaryPath } from '../../../test/temporary-database.ts'
import { MigrationError } from '../migration-error.ts'
import { migrate } from './migrate.ts'

const department = noun('department', { id: identity(), name: text() })

/** A database that was made for a first user, with records in it. */
function databaseOf(fields: Parameters<typeof noun>[1], insert: string, use: Use = {}) {
  const database = temporaryDatabase()
  const first = noun('user', { id: identity(), ...fields })
  migrate(database, modelOfNouns([first, department], use), 'start')
  if (insert) database.exec(insert)
  return database
}

function userModel(fields: Parameters<typeof noun>[1], use: Use = {}, options = {}) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }, options), department], use)
}

const kinds = (report: ReturnType<typeof migrate>) => report.changes.map(({ kind }) => kind)

function indexes(database: ReturnType<typeof temporaryDatabase>) {
  return rows(database, "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'user' ORDER BY name").map(
    ({ name }) => name,
  )
}

describe('a fresh database', () => {
  it('gets everything at start, and nothing at the next', () => {
    const user = noun('user', {
      id: identity(),
      email: email().unique(),
      name: text(),
      department: reference(() => department).nullable(),
    })
    const model = modelOfNouns([user, department], {
      filtered: ['user.email', 'user.name'],
      searched: ['user.name'],
      links: [link(user, department)],
    })
    const database = temporaryDatabase()
    const report = migrate(database, model, 'start')
    expect(report.isFresh).toBe(true)
    expect(report.steps.map(({ sentence }) => sentence)).toEqual([
      'prepare the empty database',
      'add noun "user"',
      'add noun "department"',
      'add link "user-department"',
    ])
    expect(rows(database, "SELECT sql FROM sqlite_schema WHERE tbl_name LIKE 'user%'")).toMatchInlineSnapshot(`
      [
        {
          "sql": "CREATE TABLE "user" (
        "id" INTEGER PRIMARY KEY AUTOINCREMENT,
        "email" TEXT NOT NULL,
        "name" TEXT NOT NULL,
        "department" INTEGER REFERENCES "department",
        "_version" INTEGER NOT NULL DEFAULT 1,
        "name_folded" TEXT NOT NULL
      ) STRICT",
        },
        {
          "sql": "CREATE UNIQUE INDEX "user_email_unique" ON "user" ("email" COLLATE NOCASE)",
        },
        {
          "sql": "CREATE INDEX "user_email" ON "user" ("email")",
        },
        {
          "sql": "CREATE INDEX "user_name" ON "user" ("name")",
        },
        {
          "sql": "CREATE INDEX "user_department" ON "user" ("department")",
        },
        {
          "sql": "CREATE TABLE "user-department" (
        "user" INTEGER NOT NULL REFERENCES "user",
        "department" INTEGER NOT NULL REFERENCES "department",
        PRIMARY KEY ("user", "department")
      ) STRICT, WITHOUT ROWID",
        },
        {
          "sql": "CREATE INDEX "user-department_reverse" ON "user-department" ("department", "user")",
        },
      ]
    `)
    expect(migrate(database, model, 'start')).toEqual({ isFresh: false, changes: [], steps: [], obstacles: [] })
  })

  it('stores a guid identity as text, never null, with the identity behind every indexed field', () => {
    const tag = noun('tag', { guid: identity('guid'), name: text(), parent: reference(() => tag).nullable() })
    const database = temporaryDatabase()
    migrate(database, modelOfNouns([tag], { filtered: ['tag.name'] }), 'start')
    expect(rows(database, "SELECT sql FROM sqlite_schema WHERE name = 'tag_name'")).toEqual([
      { sql: 'CREATE INDEX "tag_name" ON "tag" ("name", "guid")' },
    ])
    expect(() => database.exec(`INSERT INTO tag (guid, name) VALUES (NULL, 'x')`)).toThrow('NOT NULL')
  })

  it('keeps e-mails apart without regard to ASCII case', () => {
    const database = databaseOf({ email: email().unique() }, `INSERT INTO user (email) VALUES ('a@b.c')`)
    expect(() => database.exec(`INSERT INTO user (email) VALUES ('A@B.C')`)).toThrow('UNIQUE')
  })
})

describe('a safe change at start', () => {
  it('adds a nullable field', () => {
    const database = databaseOf({ name: text() }, `INSERT INTO user (name) VALUES ('Ada')`)
    const report = migrate(database, userModel({ name: text(), nickname: text().nullable() }), 'start')
    expect(report.steps).toEqual([
      {
        sentence: 'add field "nickname" to "user"',
        isSafe: true,
        sql: ['ALTER TABLE "user" ADD COLUMN "nickname" TEXT'],
      },
    ])
    expect(rows(database, 'SELECT name, nickname FROM user')).toEqual([{ name: 'Ada', nickname: null }])
  })

  it.each([
    [text().default("O'Neil"), "O'Neil"],
    [text().nullable().default('x'), 'x'],
    [flag().default(true), 1],
    [decimal({ scale: 2 }).default('-1.50'), -150],
    [number().default(2), 2],
    [integer().default(-7), -7],
    [timestamp().default('2026-01-01T00:00:00.000Z'), '2026-01-01T00:00:00.000Z'],
  ])('gives records that are there the default of a new field (%#)', (field, stored) => {
    const database = databaseOf({ name: text() }, `INSERT INTO user (name) VALUES ('Ada')`)
    migrate(database, userModel({ name: text(), added: field }), 'start')
    expect(rows(database, 'SELECT added FROM user')).toEqual([{ added: stored }])
  })

  it('copies the field that a new one takes its default from', () => {
    const database = databaseOf({ email: email().unique() }, `INSERT INTO user (email) VALUES ('a@b.c'), ('d@e.f')`)
    const model = userModel({ email: email().unique(), username: text().unique().defaultFrom('email') })
    migrate(database, model, 'start')
    expect(rows(database, 'SELECT email, username FROM user')).toEqual([
      { email: 'a@b.c', username: 'a@b.c' },
      { email: 'd@e.f', username: 'd@e.f' },
    ])
  })

  it('adds a noun, a reference to it and a link', () => {
    const database = databaseOf({ name: text() }, `INSERT INTO user (name) VALUES ('Ada')`)
    const team = noun('team', { id: identity() })
    const user = noun('user', { id: identity(), name: text(), team: reference(() => team).nullable() })
    const report = migrate(database, modelOfNouns([user, department, team], { links: [link(user, team)] }), 'start')
    expect(kinds(report)).toEqual(['add-field', 'add-noun', 'add-link'])
    database.exec('INSERT INTO team (id) VALUES (3); INSERT INTO "user-team" VALUES (1, 3); UPDATE user SET team = 3')
    expect(() => database.exec('UPDATE user SET team = 4')).toThrow('FOREIGN KEY')
  })

  it('adds and drops indexes', () => {
    const database = databaseOf({ name: text(), age: integer() }, '', { filtered: ['user.age'] })
    const report = migrate(database, userModel({ name: text(), age: integer() }, { filtered: ['user.name'] }), 'start')
    expect(kinds(report)).toEqual(['add-index', 'drop-index'])
    expect(indexes(database)).toEqual(['user_name'])
  })

  it('folds the records that are there when a field becomes searched, and forgets the folds after', () => {
    const fields = { name: text(), alias: text().nullable() }
    const database = databaseOf(fields, `INSERT INTO user (name, alias) VALUES ('GROSS', 'ß'), ('ΟΔΟΣ', NULL)`)
    migrate(database, userModel(fields, { searched: ['user.name', 'user.alias'] }), 'start')
    expect(rows(database, 'SELECT name_folded, alias_folded FROM user')).toEqual([
      { name_folded: 'gross', alias_folded: 'ss' },
      { name_folded: 'οδοσ', alias_folded: null },
    ])
    expect(() => database.exec('UPDATE user SET name_folded = NULL')).toThrow('NOT NULL')
    expect(kinds(migrate(database, userModel(fields), 'start'))).toEqual(['drop-search', 'drop-search'])
    expect(Object.keys(rows(database, 'SELECT * FROM user')[0] ?? {})).toEqual(['id', 'name', 'alias', '_version'])
  })

  it('folds the default of a new field that is searched', () => {
    const database = databaseOf({ name: text() }, `INSERT INTO user (name) VALUES ('Ada')`)
    migrate(database, userModel({ name: text(), town: text().default('GIEßEN') }, { searched: ['user.town'] }), 'start')
    expect(rows(database, 'SELECT town, town_folded FROM user')).toEqual([{ town: 'GIEßEN', town_folded: 'giessen' }])
  })

  it('renames a field with its index, its fold and its uniqueness, and needs the rename no longer', () => {
    const use = (name: string) => ({ filtered: [`user.${name}`], searched: [`user.${name}`] })
    const insert = `INSERT INTO user (mail, mail_folded) VALUES ('A@b.c', 'a@b.c')`
    const database = databaseOf({ mail: email().unique() }, insert, use('mail'))
    const model = userModel({ email: email().unique().renamedFrom('mail') }, use('email'))
    const report = migrate(database, model, 'start')
    expect(kinds(report)).toEqual(['rename-field'])
    expect(report.steps[0]?.sql).toContain('ALTER TABLE "user" RENAME COLUMN "mail" TO "email"')
    expect(rows(database, 'SELECT email, email_folded FROM user')).toEqual([{ email: 'A@b.c', email_folded: 'a@b.c' }])
    expect(indexes(database)).toEqual(['user_email', 'user_email_unique'])
    expect(migrate(database, model, 'start').changes).toEqual([])
    expect(migrate(database, userModel({ email: email().unique() }, use('email')), 'start').changes).toEqual([])
  })

  it('renames in a chain', () => {
    const database = databaseOf({ one: text(), two: text() }, `INSERT INTO user (one, two) VALUES ('1', '2')`)
    const model = userModel({ two: text().renamedFrom('one'), three: text().renamedFrom('two') })
    expect(kinds(migrate(database, model, 'start'))).toEqual(['rename-field', 'rename-field'])
    expect(rows(database, 'SELECT two, three FROM user')).toEqual([{ two: '1', three: '2' }])
  })

  it('renames an identity that others point at', () => {
    const database = databaseOf(
      { department: reference(() => department) },
      `INSERT INTO department (id, name) VALUES (5, 'Sales'); INSERT INTO user (department) VALUES (5)`,
    )
    const renamed = noun('department', { key: identity().renamedFrom('id'), name: text() })
    const user = noun('user', { id: identity(), department: reference(() => renamed) })
    migrate(database, modelOfNouns([user, renamed]), 'start')
    expect(rows(database, 'SELECT key FROM department')).toEqual([{ key: 5 }])
    expect(() => database.exec('DELETE FROM department')).toThrow('FOREIGN KEY')
  })

  it('lets a field be null, and makes one required where every record has a value', () => {
    const fields = { name: text(), alias: text().nullable() }
    const database = databaseOf(fields, `INSERT INTO user (name, alias) VALUES ('Ada', 'A')`)
    const report = migrate(database, userModel({ name: text().nullable(), alias: text() }), 'start')
    expect(kinds(report)).toEqual(['free-field', 'require-field'])
    expect(() => database.exec('UPDATE user SET alias = NULL')).toThrow('NOT NULL')
    database.exec('UPDATE user SET name = NULL')
  })

  it('makes fields unique where no record stands against it, and no longer unique', () => {
    const fields = { name: text(), town: text() }
    const database = databaseOf(fields, `INSERT INTO user (name, town) VALUES ('a', 'x'), ('a', 'y')`)
    const model = userModel(fields, {}, { unique: [['name', 'town']] })
    expect(kinds(migrate(database, model, 'start'))).toEqual(['add-unique'])
    expect(indexes(database)).toEqual(['user_name_town_unique'])
    expect(() => database.exec(`INSERT INTO user (name, town) VALUES ('a', 'x')`)).toThrow('UNIQUE')
    expect(kinds(migrate(database, userModel(fields), 'start'))).toEqual(['drop-unique'])
    database.exec(`INSERT INTO user (name, town) VALUES ('a', 'x')`)
  })

  it('runs no SQL for new defaults, limits and choices, and remembers them', () => {
    const database = databaseOf({ name: text(), status: choice('A', 'B') }, '')
    const model = userModel({ name: text({ maxLength: 5 }).default('x'), status: choice('A', 'C', 'B') })
    const report = migrate(database, model, 'start')
    expect(kinds(report)).toEqual(['change-default', 'change-limits', 'add-choice'])
    expect(report.steps.flatMap(({ sql }) => sql)).toEqual([])
    expect(migrate(database, model, 'start').changes).toEqual([])
  })
})

describe('a start that is refused', () => {
  const refused = (database: ReturnType<typeof temporaryDatabase>, model: ReturnType<typeof userModel>) => {
    const before = contents(database)
    let message = ''
    try {
      migrate(database, model, 'start')
    } catch (error) {
      expect(error).toBeInstanceOf(MigrationError)
      message = (error as Error).message
    }
    expect(contents(database)).toBe(before)
    return message
  }

  it('tells every unsafe change, why, and what to do, and makes the safe ones neither', () => {
    const database = databaseOf({ name: text(), age: integer() }, `INSERT INTO user (name, age) VALUES ('Ada', 36)`)
    const message = refused(database, userModel({ age: text(), motto: text(), nickname: text().nullable() }))
    expect(message).toMatchInlineSnapshot(`
      "The database does not fit the declarations. Nothing was changed.
        - change field "age" of "user" from integer to text
          Its values have to be converted. Add a new field instead to keep the old values.
        - add field "motto" to "user"
          Records that are there already would have no value for it. Give it a default(), or make it nullable().
        - drop field "name" of "user"
          Its values would be lost. Where it only bears another name now, say so on the new field: .renamedFrom('name').
        - field "motto" of "user": 1 record would have no value, such as id 1.
        Change those records, or the declaration, and try again.
        See the exact steps with: nomen migrate --plan, and the service file and database that you serve with."
    `)
  })

  it('drops no noun, no link and no choice', () => {
    const database = temporaryDatabase()
    const first = noun('user', { id: identity(), status: choice('A', 'B') })
    migrate(database, modelOfNouns([first, department], { links: [link(first, department)] }), 'start')
    const message = refused(database, modelOfNouns([noun('user', { id: identity(), status: choice('A') })]))
    expect(message).toContain('drop the value "B" of field "status" of "user"')
    expect(message).toContain('drop noun "department"')
    expect(message).toContain('drop link "user-department"')
  })

  it('retypes no scale, no reference and no identity', () => {
    const fields = { pay: decimal({ scale: 2 }), at: reference(() => department).nullable() }
    const database = databaseOf(fields, '')
    const other = noun('department', { id: identity('guid'), name: text() })
    const user = noun('user', { id: identity(), pay: decimal({ scale: 3 }), at: reference(() => other).nullable() })
    const message = refused(database, modelOfNouns([user, other]))
    expect(message).toContain('field "pay" of "user" from decimal of scale 2 to decimal of scale 3')
    expect(message).toContain('from reference to "department" by integer to reference to "department" by guid')
    expect(message).toContain('field "id" of "department" from integer identity to guid identity')
  })

  it('says which values are not unique', () => {
    const database = databaseOf({ email: email() }, `INSERT INTO user (email) VALUES ('a@b.c'), ('A@b.c'), ('d@e.f')`)
    expect(refused(database, userModel({ email: email().unique() }))).toContain(
      '- "email" of "user" cannot be unique: 1 value stands more than once, such as "a@b.c" (2 records).',
    )
  })

  it('says how many records have no value, in a noun whose fields are called like our own words', () => {
    const fields = { value: text().nullable(), record: text() }
    const database = databaseOf(fields, `INSERT INTO user (value, record) VALUES ('x', 'x'), (NULL, 'x'), (NULL, 'x')`)
    expect(refused(database, userModel({ value: text(), record: text() }))).toContain(
      '- field "value" of "user": 2 records would have no value, such as id 2.',
    )
  })

  it('does not take a default that two records would share for a unique field', () => {
    const database = databaseOf({}, 'INSERT INTO user DEFAULT VALUES; INSERT INTO user DEFAULT VALUES')
    expect(refused(database, userModel({ code: text().default('x').unique() }))).toContain('"code" of "user" cannot be')
  })

  it('takes a name that is still in use for no rename', () => {
    const database = databaseOf({ one: text(), two: text() }, '')
    expect(refused(database, userModel({ two: text().renamedFrom('one') }))).toContain('drop field "one" of "user"')
  })
})

describe('a database that is not for us', () => {
  it('is refused where another program has made it', () => {
    const database = temporaryDatabase()
    database.exec('CREATE TABLE invoice (id INTEGER); CREATE TABLE customer (id INTEGER)')
    expect(() => migrate(database, userModel({}), 'start')).toThrow('it holds "customer", "invoice", and no schema')
    expect(() => migrate(database, userModel({}), 'plan')).toThrow(MigrationError)
    database.exec('CREATE TABLE _schema (version TEXT)')
    expect(() => migrate(database, userModel({}), 'apply')).toThrow('and no schema')
  })

  it('is refused where a newer version has written it', () => {
    const database = databaseOf({}, 'UPDATE _schema SET format = 2')
    expect(() => migrate(database, userModel({}), 'start')).toThrow('newer version of Nomen (format 2')
  })
})

describe('a plan', () => {
  it('tells exact steps and obstacles, and changes nothing', () => {
    const fields = { name: text() }
    const database = databaseOf(fields, `INSERT INTO user (name) VALUES ('12'), ('twelve')`)
    const before = contents(database)
    const report = migrate(database, userModel({ name: integer() }), 'plan')
    expect(contents(database)).toBe(before)
    expect(report.steps).toMatchInlineSnapshot(`
      [
        {
          "isSafe": false,
          "sentence": "change field "name" of "user" from text to integer",
          "sql": [
            "CREATE TABLE "_new_user" (
        "id" INTEGER PRIMARY KEY AUTOINCREMENT,
        "name" INTEGER NOT NULL,
        "_version" INTEGER NOT NULL DEFAULT 1
      ) STRICT",
            "INSERT INTO "_new_user" (
        "id",
        "name",
        "_version"
      ) SELECT
        "id",
        CAST("name" AS INTEGER),
        "_version"
      FROM "user"",
            "DELETE FROM sqlite_sequence WHERE name = '_new_user'",
            "INSERT INTO sqlite_sequence (name, seq) SELECT '_new_user', seq FROM sqlite_sequence WHERE name = 'user'",
            "DROP TABLE "user"",
            "ALTER TABLE "_new_user" RENAME TO "user"",
          ],
        },
      ]
    `)
    expect(report.obstacles).toEqual([
      'field "name" of "user": 1 value cannot become integer, such as "twelve" (id 2).',
    ])
  })

  it('of an empty database creates no table', () => {
    const database = temporaryDatabase()
    const report = migrate(database, userModel({}), 'plan')
    expect(report.isFresh).toBe(true)
    expect(rows(database, 'SELECT * FROM sqlite_schema')).toEqual([])
    for (const { sql } of report.steps) for (const statement of sql) database.exec(statement)
    expect(rows(database, 'SELECT * FROM user')).toEqual([])
  })
})

describe('the connection', () => {
  it('enforces foreign keys again, and waits no longer than before, whatever happened', () => {
    const database = databaseOf({ name: text() }, '')
    expect(() => migrate(database, userModel({}), 'start')).toThrow(MigrationError)
    migrate(database, userModel({}), 'apply')
    expect(rows(database, 'PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }])
    expect(rows(database, 'PRAGMA busy_timeout')).toEqual([{ timeout: 0 }])
    expect(database.isTransaction).toBe(false)
  })

  it('leaves everything as it was when a step fails in the middle', () => {
    const path = temporaryPath()
    const database = temporaryDatabase(path)
    migrate(database, userModel({ name: text() }), 'start')
    database.exec(`INSERT INTO user (name) VALUES ('Ada'); CREATE INDEX user_motto ON department (name)`)
    const before = contents(database)
    const model = userModel({ name: text().nullable(), motto: text().nullable() }, { filtered: ['user.motto'] })
    expect(() => migrate(database, model, 'start')).toThrow('user_motto')
    expect(contents(database)).toBe(before)
    database.exec('DROP INDEX user_motto')
    expect(contents(temporaryDatabase(path))).not.toContain('motto')
    migrate(database, model, 'start')
    expect(rows(database, 'SELECT name, motto FROM user')).toEqual([{ name: 'Ada', motto: null }])
  })
})
