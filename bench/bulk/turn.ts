/** One contender's turn at loading or exporting users, in a process of its own. Prints what it took as JSON. */
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
const folded = ['firstName', 'lastName', 'email']

/** What any program could do: rows at hand in memory, one prepared statement, nothing checked or told. */
function insertRows(commitEvery: number): () => number {
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const rows = records.map((record) => [
    ...columns.map((column) => record[column]),
    ...folded.map((column) => record[column].toUpperCase().toLowerCase()),
  ])
  const opened = new DatabaseSync(database)
  // As a load has them.
  opened.exec('pragma synchronous = normal; pragma cache_size = -65536; pragma wal_autocheckpoint = 16000')
  const names = [...columns, ...folded.map((column) => `${column}_folded`)].map((column) => `"${column}"`)
  const insert = opened.prepare(`insert into "user" (${names}) values (${names.map(() => '?')})`)
  return () => {
    opened.exec('begin immediate')
    let begun = performance.now()
    for (const row of rows) {
      insert.run(...row)
      if (performance.now() - begun < commitEvery) continue
      opened.exec('commit')
      opened.exec('begin immediate')
      begun = performance.now()
    }
    opened.exec('commit')
    opened.close()
    return rows.length
  }
}

async function load(): Promise<number> {
  const source = { name: file, isRepeatable: true, bytes: () => createReadStream(file, { highWaterMark: 256 * 1024 }) }
  return (await loadRecords(service, { database: address, noun, source })).loaded
}

async function exportAll(format: FileFormat): Promise<number> {
  const out = openSync(file, 'w')
  const all = await exportRecords(service, { database: address, noun, format })
  for await (const { text } of all.parts()) writeSync(out, text)
  await all.close()
  return all.numberOfRecords
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

/** Each is prepared, and then measured. */
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
const [began, used] = [performance.now(), process.cpuUsage()]
const records = await turn?.()
const { user, system } = process.cpuUsage(used)
const seconds = (performance.now() - began) / 1000
const memory = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ records, seconds, processor: (user + system) / 1e6, memory }))
