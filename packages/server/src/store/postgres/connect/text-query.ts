/**
 * A query whose rows stay lists of text, as the server sends them. The driver's own query copies its settings and builds
 * tables of fields and parsers for each result. For a short read, that takes longer than everything else in this process.
 */
import pg from 'pg'

/** A row as the server sends it: every value as text. */
export type Row = readonly (string | null)[]

export interface TextQueryParts {
  /** A named statement is prepared once for each connection. */
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
}

export type TextQueryDone = (error: Error | undefined, rows?: readonly Row[]) => void

export class TextQuery extends pg.Query {
  readonly name: string | undefined
  /** The client wraps it to limit the time of the query. */
  callback: TextQueryDone
  readonly #rows: Row[] = []

  constructor({ name, text, values }: TextQueryParts, done: TextQueryDone) {
    super(text, values)
    this.name = name
    this.callback = done
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(undefined, this.#rows)
  }

  handleError(error: Error): void {
    this.callback(error)
  }
}
