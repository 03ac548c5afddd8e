/** The minimum of a load and an export on PostgreSQL: the server itself reads or writes the file. */
import pg from 'pg'

/** Writes the file that `copyFrom` reads, in the text format of COPY. */
export function writeCopyFile(url: string, file: string): Promise<number> {
  return run(url, (names) => `copy (select ${names} from "user" order by "id") to '${file}'`)
}

/** One COPY, and so one commit, into the table with its indexes and triggers. */
export function copyFrom(url: string, file: string): Promise<number> {
  return run(url, (names) => `copy "user" (${names}) from '${file}'`)
}

/** One COPY of rows as JSON. */
export function copyTo(url: string, file: string): Promise<number> {
  return run(
    url,
    (names) => `copy (select row_to_json(t) from (select ${names} from "user" order by "id") as t) to '${file}'`,
  )
}

/** Returns the number of rows. */
async function run(url: string, statementOf: (names: string) => string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = 'public' and table_name = 'user' and is_generated = 'NEVER' and column_name <> '_version'`,
    )
    return (await client.query(statementOf(rows[0].names))).rowCount ?? 0
  } finally {
    await client.end()
  }
}
