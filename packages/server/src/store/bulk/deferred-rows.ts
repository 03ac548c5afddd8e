/**
 * Rows of a load that point at rows further down in the file, kept aside until these have come. It lies in a file of
 * its own that is gone with the process, so that any number of them needs no memory, whatever database is loaded.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { Pointer } from './bulk.ts'

type Key = string | number

export interface WaitingRow {
  readonly line: number
  readonly text: string
}

/** `missing` counts the records that a row waits for; `doomed` says that one of them will never come. */
const doomed = -1
const tables = `
pragma journal_mode = off;
create table "row" ("line" integer primary key, "text" text not null, "own" any, "missing" integer not null) strict;
create index "row_own" on "row" ("own") where "own" is not null;
create index "row_ready" on "row" ("line") where "missing" = 0;
create index "row_doomed" on "row" ("line") where "missing" = ${doomed};
create table "need" ("target" any not null, "line" integer not null, primary key ("target", "line")) strict, without rowid;
create index "need_line" on "need" ("line");
create table "later" ("line" integer, "own" any, "field" text, "target" any, primary key ("line", "field")) strict;
begin`

export class DeferredRows {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  #size = 0

  constructor() {
    this.#database = new DatabaseSync('')
    this.#database.exec(tables)
  }

  get size(): number {
    return this.#size
  }

  /** `own` is the identity that the row itself would have, where it gives one. */
  put({ line, text }: WaitingRow, own: Value, targets: readonly Value[]): void {
    const different = new Set(targets)
    this.#statement('insert into "row" values (?, ?, ?, ?)').run(line, text, own as Key | null, different.size)
    for (const target of different) this.#statement('insert into "need" values (?, ?)').run(target as Key, line)
    this.#size++
  }

  /** Some of the records that rows wait for, each once, in order after the one given. */
  targets(after: Value | undefined, limit: number): readonly Value[] {
    const rows =
      after === undefined
        ? this.#statement('select distinct "target" from "need" order by "target" limit ?').all(limit)
        : this.#statement('select distinct "target" from "need" where "target" > ? order by "target" limit ?').all(
            after as Key,
            limit,
          )
    return rows.map(({ target }) => target as Key)
  }

  /** Whether a row that waits itself would be this record. */
  isExpected(target: Value): boolean {
    return this.#statement('select 1 from "row" where "own" = ?').get(target as Key) !== undefined
  }

  /** The record has come: one reason less to wait. */
  arrive(target: Value): void {
    const waiting = '"line" in (select "line" from "need" where "target" = ?)'
    this.#statement(`update "row" set "missing" = "missing" - 1 where ${waiting} and "missing" > 0`).run(target as Key)
    this.#statement('delete from "need" where "target" = ?').run(target as Key)
  }

  /** The record will never come. */
  giveUp(target: Value): void {
    const waiting = '"line" in (select "line" from "need" where "target" = ?)'
    this.#statement(`update "row" set "missing" = ${doomed} where ${waiting}`).run(target as Key)
  }

  /** Rows that wait for nothing any more, or in vain; or the first of those that wait for each other. */
  some(which: 'ready' | 'doomed' | 'circular', limit: number): readonly WaitingRow[] {
    const state = which === 'ready' ? '"missing" = 0' : which === 'doomed' ? `"missing" = ${doomed}` : '"missing" > 0'
    return this.#statement(`select "line", "text" from "row" where ${state} order by "line" limit ?`)
      .all(limit)
      .map(({ line, text }) => ({ line: Number(line), text: `${text}` }))
  }

  /** What a row still waits for. */
  needs(line: number): readonly Value[] {
    const rows = this.#statement('select "target" from "need" where "line" = ?').all(line)
    return rows.map(({ target }) => target as Key)
  }

  remove(line: number): void {
    this.#statement('delete from "need" where "line" = ?').run(line)
    this.#statement('delete from "row" where "line" = ?').run(line)
    this.#size--
  }

  /** Keeps a reference that is to be set once both records are there. */
  postpone(line: number, { identity, field, to }: Pointer): void {
    this.#statement('insert into "later" values (?, ?, ?, ?)').run(line, identity as Key, field, to as Key)
  }

  /** Takes some of the references that were postponed. */
  takePostponed(limit: number): readonly (Pointer & { readonly line: number })[] {
    const rows = this.#statement('select * from "later" order by "line", "field" limit ?').all(limit)
    return rows.map(({ line, own, field, target }) => {
      this.#statement('delete from "later" where "line" = ? and "field" = ?').run(line as Key, field as Key)
      return { line: Number(line), identity: own as Key, field: `${field}`, to: target as Key }
    })
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }
}
