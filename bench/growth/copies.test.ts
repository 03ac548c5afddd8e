import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { base, copiesOf, copyStatement } from './copies.ts'

it('creates the missing number of copies', () => {
  expect(copiesOf(base)).toEqual([])
  expect(copiesOf(base + 1)).toEqual([1])
  expect(copiesOf(3 * base)).toEqual([1, 2])
})

it('copies the base with new identities and names, and limits the last copy', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table "user" (id integer primary key, email text unique, "lastName" text);
    insert into "user" values (1, 'a@x', 'A'), (2, 'b@x', 'B')`)
  database.exec(copyStatement(['id', 'email', 'lastName'], 1, 3 * base))
  database.exec(copyStatement(['id', 'email', 'lastName'], 2, 2 * base + 1))
  const rows = database.prepare('select * from "user" order by id').all()
  expect(rows.map((row) => Object.values(row))).toEqual([
    [1, 'a@x', 'A'],
    [2, 'b@x', 'B'],
    [base + 1, '1.a@x', 'A'],
    [base + 2, '1.b@x', 'B'],
    [2 * base + 1, '2.a@x', 'A'],
  ])
})
