/** Reads many rows in batches, through a cursor. */
import type { ClientBase, QueryResultRow } from 'pg'

const rowsPerFetch = 5000

/** The rows of a query from one snapshot. Within a transaction; one such query at a time. */
export async function* rowBatches<Row extends QueryResultRow>(
  client: ClientBase,
  query: string,
): AsyncGenerator<readonly Row[]> {
  await client.query(`declare sweep no scroll cursor for ${query}`)
  while (true) {
    const { rows } = await client.query<Row>(`fetch ${rowsPerFetch} from sweep`)
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerFetch) break
  }
  await client.query('close sweep')
}
