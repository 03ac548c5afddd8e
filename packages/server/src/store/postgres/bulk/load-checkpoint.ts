/** How far files have been loaded, kept beside the records for rows that could not be told from new ones. */
import type { ClientBase } from 'pg'
import { FileBusy, type Mark } from '../../bulk/bulk.ts'

const tables = `
create table if not exists "_load" (
  "noun" text collate "C",
  "fingerprint" text collate "C",
  "line" bigint not null,
  "moment" timestamptz(3) not null,
  primary key ("noun", "fingerprint")
);
create table if not exists "_load_open" (
  "noun" text collate "C",
  "fingerprint" text collate "C",
  "line" bigint,
  primary key ("noun", "fingerprint", "line")
)`

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
const tableLock = 0x6e6f6d68

const isFile = '"noun" = $1 and "fingerprint" = $2'

export class LoadMarks {
  readonly #client: ClientBase
  readonly #noun: string

  constructor(client: ClientBase, noun: string) {
    this.#client = client
    this.#noun = noun
  }

  /** Makes the tables where they are missing. */
  async prepare(): Promise<void> {
    const { rows } = await this.#client.query(`select to_regclass('"_load"') is null as "isMissing"`)
    if (!rows[0].isMissing) return
    await this.#client.query(
      `begin; select pg_advisory_xact_lock(${tableLock}, hashtext(current_schema())); ${tables}; commit`,
    )
  }

  /** Runs inside a transaction. Two processes that load one file at once would load it twice: the second is stopped. */
  async keep({ fingerprint, from, to, opened, closed }: Mark): Promise<void> {
    const file = [this.#noun, fingerprint]
    const { rowCount } =
      from === 0
        ? await this.#client.query('insert into "_load" values ($1, $2, $3, now()) on conflict do nothing', [
            ...file,
            to,
          ])
        : await this.#client.query(`update "_load" set "line" = $3, "moment" = now() where ${isFile} and "line" = $4`, [
            ...file,
            to,
            from,
          ])
    if (rowCount === 0) throw new FileBusy('Another process is loading this file.')
    if (opened.length > 0) {
      const lines = 'select $1, $2, line from unnest($3::bigint[]) as one (line)'
      await this.#client.query(`insert into "_load_open" ${lines} on conflict do nothing`, [...file, opened])
    }
    if (closed.length > 0)
      await this.#client.query(`delete from "_load_open" where ${isFile} and "line" = any($3)`, [...file, closed])
  }

  async find(fingerprint: string): Promise<{ readonly line: number; readonly moment: string } | undefined> {
    const text = `select "line", "moment" from "_load" where ${isFile}`
    const { rows } = await this.#client.query(text, [this.#noun, fingerprint])
    return rows[0] && { line: Number(rows[0].line), moment: rows[0].moment.toISOString() }
  }

  async openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>> {
    const text = `select "line" from "_load_open" where ${isFile} and "line" between $3 and $4`
    const { rows } = await this.#client.query(text, [this.#noun, fingerprint, from, to])
    return new Set(rows.map(({ line }) => Number(line)))
  }

  async forget(fingerprint: string): Promise<void> {
    for (const table of ['_load', '_load_open'])
      await this.#client.query(`delete from "${table}" where ${isFile}`, [this.#noun, fingerprint])
  }
}
