/** Reading of many rows, a batch at a time. */
import type { ClientBase, QueryResultRow } from 'pg'

const batch = 5000

/** The rows of a query as they were when it began. Within a transaction; one such query at a time. */
export async function* batchesOf<Row extends QueryResultRow>(
  client: ClientBase,
  query: string,
): AsyncGenerator<readonly Row[]> {
  await client.query(`declare sweep no scroll cursor for ${query}`)
  while (true) {
    const { rows } = await client.query<Row>(`fetch ${batch} from sweep`)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await client.query('close sweep')
}
