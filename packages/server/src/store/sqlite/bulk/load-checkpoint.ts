/** How far files have been loaded, kept beside the records for rows that could not be told from new ones. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Mark } from '../../bulk/bulk.ts'
import { FileBusy } from '../../bulk/bulk.ts'

const tables = `
CREATE TABLE IF NOT EXISTS "_load" (
  "noun" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "line" INTEGER NOT NULL,
  "moment" TEXT NOT NULL,
  PRIMARY KEY ("noun", "fingerprint")
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "_load_open" (
  "noun" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "line" INTEGER NOT NULL,
  PRIMARY KEY ("noun", "fingerprint", "line")
) STRICT, WITHOUT ROWID`

const isFile = '"noun" = ? and "fingerprint" = ?'

export class LoadMarks {
  readonly #database: DatabaseSync
  readonly #noun: string
  readonly #begin: StatementSync
  readonly #move: StatementSync
  readonly #open: StatementSync
  readonly #close: StatementSync

  /** Makes the tables where they are missing. */
  constructor(database: DatabaseSync, noun: string) {
    database.exec(tables)
    this.#database = database
    this.#noun = noun
    this.#begin = database.prepare('insert into "_load" values (?, ?, ?, ?) on conflict do nothing')
    this.#move = database.prepare(`update "_load" set "line" = ?, "moment" = ? where ${isFile} and "line" = ?`)
    this.#open = database.prepare('insert into "_load_open" values (?, ?, ?) on conflict do nothing')
    this.#close = database.prepare(`delete from "_load_open" where ${isFile} and "line" = ?`)
  }

  /** Runs inside a transaction. Two processes that load one file at once would load it twice: the second is stopped. */
  keep({ fingerprint, from, to, opened, closed }: Mark): void {
    const now = new Date().toISOString()
    const { changes } =
      from === 0
        ? this.#begin.run(this.#noun, fingerprint, to, now)
        : this.#move.run(to, now, this.#noun, fingerprint, from)
    if (Number(changes) === 0) throw new FileBusy('Another process is loading this file.')
    for (const line of opened) this.#open.run(this.#noun, fingerprint, line)
    for (const line of closed) this.#close.run(this.#noun, fingerprint, line)
  }

  find(fingerprint: string): { readonly line: number; readonly moment: string } | undefined {
    const row = this.#database.prepare(`select * from "_load" where ${isFile}`).get(this.#noun, fingerprint)
    return row && { line: Number(row.line), moment: `${row.moment}` }
  }

  openLines(fingerprint: string, from: number, to: number): ReadonlySet<number> {
    const rows = this.#database
      .prepare(`select "line" from "_load_open" where ${isFile} and "line" between ? and ?`)
      .all(this.#noun, fingerprint, from, to)
    return new Set(rows.map(({ line }) => Number(line)))
  }

  forget(fingerprint: string): void {
    for (const table of ['_load', '_load_open'])
      this.#database.prepare(`delete from "${table}" where ${isFile}`).run(this.#noun, fingerprint)
  }
}
