/**
 * A query whose rows stay lists of strings, as the server sends them. The driver's own query copies its settings and builds
 * tables of fields and parsers for each result. For a short read, that takes longer than everything else in this process.
 */
import pg from 'pg'

/** A row as the server sends it: every value as a string. */
export type Row = readonly (string | null)[]

/** A statement that sets the settings of its transaction. */
export interface SettingsStatement {
  /** If it is prepared; else the server receives the whole statement each time. */
  readonly name: string | undefined
  readonly text: string
}

export interface TextQueryOptions {
  /** A named statement is prepared once for each connection. */
  readonly name?: string | undefined
  readonly text: string
  /** Without values, the query is not prepared and may contain several statements. */
  readonly values?: unknown[]
  /** Runs before the statement, in the same transaction, without a further round trip. */
  readonly settings?: SettingsStatement | undefined
}

export type TextQueryDone = (error: Error | undefined, rows?: readonly Row[]) => void

/** The part of the driver's query that its types lack. */
const { prepare } = pg.Query.prototype as unknown as { prepare(this: pg.Query, connection: pg.Connection): void }

export class TextQuery extends pg.Query {
  readonly name: string | undefined
  /** Makes the driver prepare a statement without values, too. */
  readonly queryMode: 'extended' | undefined
  /** The client wraps it to limit the time of the query. */
  callback: TextQueryDone
  readonly #settings: SettingsStatement | undefined
  #rows: Row[] = []
  #areSettingsPending: boolean
  #isRun: boolean

  constructor({ name, text, values, settings }: TextQueryOptions, done: TextQueryDone) {
    super(text, values)
    this.name = name
    this.queryMode = values && 'extended'
    this.callback = done
    this.#settings = settings
    this.#areSettingsPending = settings !== undefined
    // The server reports the end of a commit only after it.
    this.#isRun = values === undefined
  }

  /** Whether the server has run the statement, as far as known. */
  get isRun(): boolean {
    return this.#isRun
  }

  /** Called by the driver. All messages before the next synchronization are one transaction. */
  prepare(connection: pg.Connection): void {
    if (this.#settings) {
      const { name, text } = this.#settings
      if (name === undefined) connection.parse({ name: '', text, types: [] }, true)
      connection.bind({ statement: name ?? '' }, true)
      connection.execute({}, true)
    }
    prepare.call(this, connection)
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete(): void {
    this.#isRun ||= !this.#areSettingsPending
    if (this.#areSettingsPending) this.#rows = []
    this.#areSettingsPending = false
  }

  handleReadyForQuery(): void {
    this.callback(undefined, this.#rows)
  }

  handleError(error: Error): void {
    this.callback(error)
  }
}

/** Removes a prepared statement. Poolers that keep track of prepared statements understand it, unlike SQL for it. */
export class CloseQuery extends pg.Query {
  /** The client wraps it to limit the time of the query. */
  callback: () => void = () => {}

  constructor(name: string) {
    super('')
    this.submit = (connection) => {
      connection.close({ type: 'S', name }, false)
      connection.sync()
    }
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleError(): void {
    this.callback()
  }
}
