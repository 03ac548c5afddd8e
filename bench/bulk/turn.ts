/** One contender's turn at loading or exporting users, in a separate process. Prints its result as JSON. */
import { createReadStream, openSync, readFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { exportRecords, type FileFormat, loadRecords } from '@nomen/server/admin'
import { directory } from './directory.ts'

/** The file is read by a load, and written by an export. */
const [, , name = '', database = '', file = ''] = process.argv

const address = `sqlite:${database}`
const noun = 'user'
const service = await directory()
const columns =
  'id firstName lastName username email phone extension status department supervisor avatarColor created createdBy lastUpdated updatedBy'.split(
    ' ',
  )
const foldedColumns = ['firstName', 'lastName', 'email']

/** A bare loop: rows in memory, one prepared statement, no checks and no reports. */
function insertRows(commitEvery: number): () => number {
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const rows = records.map((record) => [
    ...columns.map((column) => record[column]),
    ...foldedColumns.map((column) => record[column].toUpperCase().toLowerCase()),
  ])
  const connection = new DatabaseSync(database)
  // The same settings as in a load.
  connection.exec('pragma synchronous = normal; pragma cache_size = -65536; pragma wal_autocheckpoint = 16000')
  const names = [...columns, ...foldedColumns.map((column) => `${column}_folded`)].map((column) => `"${column}"`)
  const insert = connection.prepare(`insert into "user" (${names}) values (${names.map(() => '?')})`)
  return () => {
    connection.exec('begin immediate')
    let startMs = performance.now()
    for (const row of rows) {
      insert.run(...row)
      if (performance.now() - startMs < commitEvery) continue
      connection.exec('commit')
      connection.exec('begin immediate')
      startMs = performance.now()
    }
    connection.exec('commit')
    connection.close()
    return rows.length
  }
}

async function load(): Promise<number> {
  const source = { name: file, isRepeatable: true, bytes: () => createReadStream(file, { highWaterMark: 256 * 1024 }) }
  return (await loadRecords(service, { database: address, noun, source })).loaded
}

async function exportAll(format: FileFormat): Promise<number> {
  const out = openSync(file, 'w')
  const exported = await exportRecords(service, { database: address, noun, format })
  for await (const { text } of exported.parts()) writeSync(out, text)
  await exported.close()
  return exported.numberOfRecords
}

/** Row after row through JSON.stringify. */
function selectAll(): number {
  const out = openSync(file, 'w')
  const names = columns.map((column) => `"${column}"`)
  const rows = new DatabaseSync(database).prepare(`select ${names} from "user" order by "id"`).iterate()
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

/** Each turn is prepared first, and then measured. */
const turns: Readonly<Record<string, () => () => number | Promise<number>>> = {
  'insert, short commits': () => insertRows(15),
  'insert, one commit': () => insertRows(Number.POSITIVE_INFINITY),
  'load CSV': () => load,
  'load NDJSON': () => load,
  'select, JSON.stringify': () => selectAll,
  'export CSV': () => () => exportAll('csv'),
  'export NDJSON': () => () => exportAll('ndjson'),
}

const turn = turns[name]?.()
const [startMs, cpuUsage] = [performance.now(), process.cpuUsage()]
const records = await turn?.()
const { user, system } = process.cpuUsage(cpuUsage)
const seconds = (performance.now() - startMs) / 1000
const memory = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ records, seconds, processor: (user + system) / 1e6, memory }))
