import { email, identity, integer, link, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { migratedSqlite } from '../../../../test/migrated-sqlite.ts'
import { migrationSuite } from '../../../../test/migration-suite.ts'
import { modelOfNouns } from '../../../../test/model-of-nouns.ts'
import { contents, rows, temporaryDatabase, temporaryPath } from '../../../../test/temporary-database.ts'
import { MigrationError } from '../../migrate/error.ts'
import { migrate } from './migrate.ts'

describe('a migration on SQLite', () => {
  migrationSuite(migratedSqlite)
})

const department = noun('department', { id: identity(), name: text() })

function userModel(fields: Parameters<typeof noun>[1]) {
  return modelOfNouns([noun('user', { id: identity(), ...fields }), department])
}

describe("SQLite's tables", () => {
  it('are strict, and have an index for every kind of read', () => {
    const user = noun('user', {
      id: identity(),
      email: email().unique(),
      name: text(),
      department: reference(() => department).nullable(),
    })
    const model = modelOfNouns([user, department], {
      indexed: ['user.email', 'user.name'],
      searched: ['user.name'],
      links: [link(user, department)],
    })
    const database = temporaryDatabase()
    migrate(database, model, 'start')
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
          "sql": "CREATE TRIGGER "_tally_user_insert" AFTER INSERT ON "user" BEGIN
        INSERT INTO "_tally_user" VALUES
          ('', 0, NEW."id" >> 8, 1),
          ('', 1, NEW."id" >> 14, 1),
          ('', 2, NEW."id" >> 20, 1)
        ON CONFLICT DO UPDATE SET "records" = "records" + excluded."records";
      END",
        },
        {
          "sql": "CREATE TRIGGER "_tally_user_delete" AFTER DELETE ON "user" BEGIN
        INSERT INTO "_tally_user" VALUES
          ('', 0, OLD."id" >> 8, -1),
          ('', 1, OLD."id" >> 14, -1),
          ('', 2, OLD."id" >> 20, -1)
        ON CONFLICT DO UPDATE SET "records" = "records" + excluded."records";
      END",
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
  })

  it('store a guid identity as text, never null, with the identity after every indexed field', () => {
    const tag = noun('tag', { guid: identity('guid'), name: text(), parent: reference(() => tag).nullable() })
    const database = temporaryDatabase()
    migrate(database, modelOfNouns([tag], { indexed: ['tag.name'] }), 'start')
    expect(rows(database, "SELECT sql FROM sqlite_schema WHERE name = 'tag_name'")).toEqual([
      { sql: 'CREATE INDEX "tag_name" ON "tag" ("name", "guid")' },
    ])
    expect(() => database.exec(`INSERT INTO tag (guid, name) VALUES (NULL, 'x')`)).toThrow('NOT NULL')
  })
})

describe('the SQL of a plan', () => {
  it('adds a column if SQLite can', () => {
    const database = temporaryDatabase()
    migrate(database, userModel({}), 'start')
    const report = migrate(database, userModel({ nickname: text().nullable() }), 'plan')
    expect(report.steps[0]?.sql).toEqual(['ALTER TABLE "user" ADD COLUMN "nickname" TEXT'])
  })

  it('rebuilds the table if SQLite has no statement for a change', () => {
    const database = temporaryDatabase()
    migrate(database, userModel({ name: text() }), 'start')
    const report = migrate(database, userModel({ name: integer() }), 'plan')
    expect(report.steps[0]?.sql).toMatchInlineSnapshot(`
      [
        "DROP TRIGGER IF EXISTS "_tally_user_insert"",
        "DROP TRIGGER IF EXISTS "_tally_user_delete"",
        "DROP TABLE IF EXISTS "_tally_user"",
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
        "CREATE TABLE "_tally_user" (
        "key" TEXT NOT NULL,
        "level" INTEGER NOT NULL,
        "block" INTEGER NOT NULL,
        "records" INTEGER NOT NULL,
        PRIMARY KEY ("key", "level", "block")
      ) STRICT, WITHOUT ROWID",
        "INSERT INTO "_tally_user" SELECT k, l, b, n FROM (SELECT '' AS k, 0 AS l, "id" >> 8 AS b, count(*) AS n FROM "user" GROUP BY k, b)",
        "INSERT INTO "_tally_user" SELECT k, l, b, n FROM (SELECT "key" AS k, 1 AS l, "block" >> 6 AS b, sum("records") AS n FROM "_tally_user" WHERE "level" = 0 GROUP BY k, b)",
        "INSERT INTO "_tally_user" SELECT k, l, b, n FROM (SELECT "key" AS k, 2 AS l, "block" >> 6 AS b, sum("records") AS n FROM "_tally_user" WHERE "level" = 1 GROUP BY k, b)",
        "CREATE TRIGGER "_tally_user_insert" AFTER INSERT ON "user" BEGIN
        INSERT INTO "_tally_user" VALUES
          ('', 0, NEW."id" >> 8, 1),
          ('', 1, NEW."id" >> 14, 1),
          ('', 2, NEW."id" >> 20, 1)
        ON CONFLICT DO UPDATE SET "records" = "records" + excluded."records";
      END",
        "CREATE TRIGGER "_tally_user_delete" AFTER DELETE ON "user" BEGIN
        INSERT INTO "_tally_user" VALUES
          ('', 0, OLD."id" >> 8, -1),
          ('', 1, OLD."id" >> 14, -1),
          ('', 2, OLD."id" >> 20, -1)
        ON CONFLICT DO UPDATE SET "records" = "records" + excluded."records";
      END",
      ]
    `)
  })
})

describe('the connection', () => {
  it('always restores the foreign keys and the busy timeout', () => {
    const database = temporaryDatabase()
    migrate(database, userModel({ name: text() }), 'start')
    expect(() => migrate(database, userModel({}), 'start')).toThrow(MigrationError)
    migrate(database, userModel({}), 'apply')
    expect(rows(database, 'PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }])
    expect(rows(database, 'PRAGMA busy_timeout')).toEqual([{ timeout: 0 }])
    expect(database.isTransaction).toBe(false)
  })

  it.each([
    [
      'PRAGMA query_only = ON',
      /^The database is read-only: attempt to write a readonly database\.\n {2}Nothing was changed\./,
    ],
    [
      'PRAGMA max_page_count = 1',
      /^The database ".*" cannot be changed: the disk is full at \/.*\.\n {2}Nothing was changed\./,
    ],
  ])('explains why the file cannot be changed (%s)', (pragma, message) => {
    const database = temporaryDatabase()
    migrate(database, userModel({ name: text() }), 'start')
    const before = contents(database)
    database.exec(pragma)
    const change = () => migrate(database, userModel({ name: text().unique() }), 'start')
    expect(change).toThrow(MigrationError)
    expect(change).toThrow(message)
    expect(contents(database)).toBe(before)
  })

  it('shows other connections nothing of a failed migration', () => {
    const path = temporaryPath()
    const database = temporaryDatabase(path)
    migrate(database, userModel({ name: text() }), 'start')
    database.exec('CREATE INDEX user_at ON department (name)')
    const at = reference(() => department).nullable()
    expect(() => migrate(database, userModel({ name: text().nullable(), at }), 'start')).toThrow('user_at')
    const contentsElsewhere = contents(temporaryDatabase(path))
    expect(contentsElsewhere).toBe(contents(database))
    expect(contentsElsewhere).not.toContain('"at"')
  })
})
