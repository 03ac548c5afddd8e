/** Sends rows with COPY, which costs the server less than any other statement. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg, { type ClientBase } from 'pg'

/** The number of rows per message: the server stores some while the next ones are written as text. */
const rowsPerMessage = 100

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** The part of the driver's connection that its types lack. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** A value as `copyRows` sends it: a number, or the text form of its column type. */
type Cell = string | number | bigint | null | undefined

/** Runs `copy … from stdin`. Returns the number of rows that were stored. */
export function copyRows(client: ClientBase, text: string, rows: Iterable<readonly Cell[]>): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyQuery(text, rows, (error, result) => (error ? reject(error) : resolve(result?.rowCount ?? 0))))
  })
}

type CopyDone = (error: Error | null | undefined, result?: { readonly rowCount: number | null }) => void

class CopyQuery extends pg.Query {
  /** The client wraps it to limit the time of the query. */
  callback: CopyDone
  readonly #rows: Iterable<readonly Cell[]>
  #isEnded = false

  constructor(text: string, rows: Iterable<readonly Cell[]>, done: CopyDone) {
    super(text)
    this.#rows = rows
    this.callback = (error, result) => {
      this.#isEnded = true
      done(error, result)
    }
  }

  /** Called by the driver when the server waits for rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error) => connection.sendCopyFail(`${error}`))
  }

  async #send(connection: CopyConnection): Promise<void> {
    let [lines, count] = ['', 0]
    for (const cells of this.#rows) {
      lines += `${cells.map(cellText).join('\t')}\n`
      if (++count % rowsPerMessage !== 0) continue
      connection.sendCopyFromChunk(Buffer.from(lines))
      lines = ''
      await nextTurn()
      if (this.#isEnded) return
    }
    connection.sendCopyFromChunk(Buffer.from(lines))
    connection.endCopyFrom()
  }
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N'
  return typeof cell === 'string' ? cell.replace(/[\\\t\n\r]/g, (character) => `${escapes[character]}`) : `${cell}`
}
