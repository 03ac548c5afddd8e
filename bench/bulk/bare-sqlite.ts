/** The minimum of a load and an export on SQLite: no validation, no reports. */
import { openSync, readFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const columns =
  'id firstName lastName username email phone extension status department supervisor avatarColor created createdBy lastUpdated updatedBy'.split(
    ' ',
  )
const foldedColumns = ['firstName', 'lastName', 'email']

/** Inserts the records of an NDJSON file, which it reads first, with one prepared statement. Commits after this time. */
export function insertRows(path: string, file: string, commitEveryMs: number): () => number {
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const rows = records.map((record) => [
    ...columns.map((column) => record[column]),
    ...foldedColumns.map((column) => record[column].toUpperCase().toLowerCase()),
  ])
  const connection = new DatabaseSync(path)
  // The same settings as in a load.
  connection.exec('pragma synchronous = normal; pragma cache_size = -65536; pragma wal_autocheckpoint = 16000')
  const names = [...columns, ...foldedColumns.map((column) => `${column}_folded`)].map((column) => `"${column}"`)
  const insert = connection.prepare(`insert into "user" (${names}) values (${names.map(() => '?')})`)
  return () => {
    connection.exec('begin immediate')
    let startMs = performance.now()
    for (const row of rows) {
      insert.run(...row)
      if (performance.now() - startMs < commitEveryMs) continue
      connection.exec('commit')
      connection.exec('begin immediate')
      startMs = performance.now()
    }
    connection.exec('commit')
    connection.close()
    return rows.length
  }
}

/** Writes row after row with JSON.stringify. */
export function selectRows(path: string, file: string): number {
  const out = openSync(file, 'w')
  const names = columns.map((column) => `"${column}"`)
  const rows = new DatabaseSync(path).prepare(`select ${names} from "user" order by "id"`).iterate()
  let [text, count] = ['', 0]
  for (const row of rows) {
    text += `${JSON.stringify(row)}\n`
    count++
    if (text.length < 200_000) continue
    writeSync(out, text)
    text = ''
  }
  writeSync(out, text)
  return count
}
