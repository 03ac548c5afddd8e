/**
 * Rows of a load that refer to later rows of the file, deferred until those are loaded. They are stored in a temporary
 * file that is deleted with the process, so that their number does not increase memory use.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import { openSqlite } from '../connection/open-sqlite.ts'
import type { DeferredReference } from './bulk.ts'

type Key = string | number

export interface WaitingRow {
  readonly line: number
  readonly text: string
}

interface DeferredRow extends WaitingRow {
  readonly identity: Value
  readonly tenant: Value
}

/** `missing` counts the records that a row waits for; -1 means that one of them will never come. */
const unresolvable = -1
const tables = `
pragma journal_mode = off;
create table "row"
  ("line" integer primary key, "text" text not null, "identity" any, "tenant" any, "missing" integer not null) strict;
create index "row_identity" on "row" ("identity") where "identity" is not null;
create index "row_ready" on "row" ("line") where "missing" = 0;
create index "row_unresolvable" on "row" ("line") where "missing" = ${unresolvable};
create table "need"
  ("target" any not null, "line" integer not null, primary key ("target", "line")) strict, without rowid;
create index "need_line" on "need" ("line");
create table "postponed"
  ("line" integer, "identity" any, "field" text, "target" any, primary key ("line", "field")) strict;
begin`

export class DeferredRows {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  #size = 0

  constructor() {
    this.#database = openSqlite('')
    this.#database.exec(tables)
  }

  get size(): number {
    return this.#size
  }

  /** `identity` is null if the row has none; `tenant` is null if all tenants share the noun. */
  put({ line, text, identity, tenant }: DeferredRow, targets: readonly Value[]): void {
    const distinct = new Set(targets)
    const values = [line, text, identity as Key | null, tenant as Key | null, distinct.size]
    this.#statement('insert into "row" values (?, ?, ?, ?, ?)').run(...values)
    for (const target of distinct) this.#statement('insert into "need" values (?, ?)').run(target as Key, line)
    this.#size++
  }

  /** A batch of the records that rows wait for, in order, after `after`. */
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

  /** The tenants of the deferred rows with this identity: one, or several if the file repeats the identity. */
  tenantsOf(target: Value): readonly Value[] {
    const rows = this.#statement('select distinct "tenant" from "row" where "identity" = ?').all(target as Key)
    return rows.map(({ tenant }) => tenant as Key | null)
  }

  /** Rows that wait for the record, but have another tenant. */
  rowsOfOtherTenants(target: Value, tenant: Value, limit: number): readonly WaitingRow[] {
    const isWaiting = '"line" in (select "line" from "need" where "target" = ?)'
    return this.#statement(`select "line", "text" from "row" where ${isWaiting} and "tenant" is not ? limit ?`)
      .all(target as Key, tenant as Key | null, limit)
      .map(waitingRow)
  }

  /** The record was loaded: rows that wait for it have one dependency less. */
  markLoaded(target: Value): void {
    const isWaiting = '"line" in (select "line" from "need" where "target" = ?)'
    this.#statement(`update "row" set "missing" = "missing" - 1 where ${isWaiting} and "missing" > 0`).run(
      target as Key,
    )
    this.#statement('delete from "need" where "target" = ?').run(target as Key)
  }

  /** The record will never be loaded. */
  markUnresolvable(target: Value): void {
    const isWaiting = '"line" in (select "line" from "need" where "target" = ?)'
    this.#statement(`update "row" set "missing" = ${unresolvable} where ${isWaiting}`).run(target as Key)
  }

  /** Rows whose references all exist, rows with a reference that will never exist, or the first of rows in a cycle. */
  rowsIn(state: 'ready' | 'unresolvable' | 'circular', limit: number): readonly WaitingRow[] {
    const condition =
      state === 'ready' ? '"missing" = 0' : state === 'unresolvable' ? `"missing" = ${unresolvable}` : '"missing" > 0'
    return this.#statement(`select "line", "text" from "row" where ${condition} order by "line" limit ?`)
      .all(limit)
      .map(waitingRow)
  }

  /** The records that a row still waits for. */
  needs(line: number): readonly Value[] {
    const rows = this.#statement('select "target" from "need" where "line" = ?').all(line)
    return rows.map(({ target }) => target as Key)
  }

  remove(line: number): void {
    this.#statement('delete from "need" where "line" = ?').run(line)
    this.#statement('delete from "row" where "line" = ?').run(line)
    this.#size--
  }

  /** Stores a reference that is set once both records exist. */
  postpone(line: number, { identity, field, to }: DeferredReference): void {
    this.#statement('insert into "postponed" values (?, ?, ?, ?)').run(line, identity as Key, field, to as Key)
  }

  /** Takes a batch of postponed references. */
  takePostponed(limit: number): readonly (DeferredReference & { readonly line: number })[] {
    const rows = this.#statement('select * from "postponed" order by "line", "field" limit ?').all(limit)
    return rows.map(({ line, identity, field, target }) => {
      this.#statement('delete from "postponed" where "line" = ? and "field" = ?').run(line as Key, field as Key)
      return { line: Number(line), identity: identity as Key, field: `${field}`, to: target as Key }
    })
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

function waitingRow({ line, text }: Readonly<Record<string, unknown>>): WaitingRow {
  return { line: Number(line), text: `${text}` }
}
