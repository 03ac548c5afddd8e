/** Reading users from CSV and JSON, against csv-parse, Papa Parse, stream-json and @streamparser/json. */
import { createReadStream, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CsvReader, csvLine } from '@nomen/core/bulk'
import { NdjsonReader } from '../../src/bulk/read/ndjson.ts'
import { recordBlocks } from '../../src/bulk/read/record-blocks.ts'
import { compare, library } from './compare.ts'

const users = Array.from({ length: 100_000 }, (_, index) => ({
  id: index + 1,
  email: `user.${index}@example.com`,
  fullName: index % 10 === 0 ? `Doe, "Jo" ${index}` : `Ada Lovelace ${index}`,
  department: (index % 15) + 1,
  status: index % 7 === 0 ? 'SUSPENDED' : 'ACTIVE',
  phone: index % 3 === 0 ? null : `+49 30 ${index}`,
  note: index % 20 === 0 ? 'two\nlines' : '',
  createdDate: '2026-11-15T09:30:00.000Z',
}))
const path = join(tmpdir(), `nomen-library-${process.pid}`)
process.on('exit', () => rmSync(path, { force: true }))

async function ours(format: 'csv' | 'json'): Promise<number> {
  const source = { name: path, isRepeatable: true, bytes: () => createReadStream(path) }
  const { blocks } = await recordBlocks(source, format, 'results')
  const reader = format === 'csv' ? new CsvReader() : new NdjsonReader('record')
  let records = 0
  for await (const block of blocks) for (const record of reader.records(block)) if ('content' in record) records++
  return records
}

async function counted(stream: AsyncIterable<unknown>): Promise<number> {
  let records = 0
  for await (const _ of stream) records++
  return records
}

if (process.argv[2] === 'csv') {
  writeFileSync(path, users.map((user) => csvLine(Object.values(user))).join(''))
  const { parse } = await library<{ parse(options: object): NodeJS.ReadWriteStream }>('csv-parse')
  const papa = (await library<{ default: { parse(input: object, options: object): void } }>('papaparse')).default
  await compare('rows', {
    ours: () => ours('csv'),
    'csv-parse': () => counted(createReadStream(path).pipe(parse({}))),
    'csv-parse, with line and text': () => counted(createReadStream(path).pipe(parse({ info: true, raw: true }))),
    'Papa Parse': () =>
      new Promise((resolve) => {
        let records = 0
        const chunk = ({ data }: { readonly data: readonly unknown[] }) => {
          records += data.length
        }
        papa.parse(createReadStream(path), { chunk, complete: () => resolve(records), skipEmptyLines: true })
      }),
  })
} else {
  writeFileSync(path, JSON.stringify(users))
  type StreamArray = { default: { withParserAsStream(): NodeJS.ReadWriteStream } }
  type StreamParser = { JSONParser: new (options: object) => { onValue(): void; write(chunk: Uint8Array): void } }
  const { default: streamArray } = await library<StreamArray>('stream-json/streamers/stream-array.js')
  const { JSONParser } = await library<StreamParser>('@streamparser/json')
  await compare('records', {
    ours: () => ours('json'),
    'stream-json': () => counted(createReadStream(path).pipe(streamArray.withParserAsStream())),
    async '@streamparser/json'() {
      let records = 0
      const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
      parser.onValue = () => {
        records++
      }
      for await (const chunk of createReadStream(path)) parser.write(chunk)
      return records
    },
  })
}
console.log(`\n${users.length} records, ${(statSync(path).size / 1e6).toFixed(1)} MB`)
