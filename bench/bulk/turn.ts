/** One contender's turn at loading or exporting users, in a separate process. Prints its result as JSON. */
import { createReadStream, openSync, writeSync } from 'node:fs'
import { exportRecords, type FileFormat, loadRecords } from '@nomen/server/admin'
import { copyFrom, copyTo } from './bare-postgres.ts'
import { insertRows, selectRows } from './bare-sqlite.ts'
import { directory } from './directory.ts'

/** The file is read by a load, and written by an export. */
const [, , name = '', database = '', file = ''] = process.argv

const path = database.replace(/^sqlite:/, '')
const noun = 'user'
const service = await directory()

async function load(): Promise<number> {
  const source = { name: file, isRepeatable: true, bytes: () => createReadStream(file, { highWaterMark: 256 * 1024 }) }
  return (await loadRecords(service, { database, noun, source })).loaded
}

async function exportAll(format: FileFormat): Promise<number> {
  const out = openSync(file, 'w')
  const exported = await exportRecords(service, { database, noun, format })
  for await (const { text } of exported.parts()) writeSync(out, text)
  await exported.close()
  return exported.numberOfRecords
}

/** Each turn is prepared first, and then measured. */
const turns: Readonly<Record<string, () => () => number | Promise<number>>> = {
  'insert, short commits': () => insertRows(path, file, 15),
  'insert, one commit': () => insertRows(path, file, Number.POSITIVE_INFINITY),
  COPY: () => () => copyFrom(database, file),
  'load CSV': () => load,
  'load NDJSON': () => load,
  'select, JSON.stringify': () => () => selectRows(path, file),
  'COPY to JSON': () => () => copyTo(database, file),
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
