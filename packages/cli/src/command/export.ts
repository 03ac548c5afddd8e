/** `nomen export`: writes all records of a noun to a file, or to standard output. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { type Export, exportRecords } from '@nomen/server/admin'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { databaseFlag, formatFlag, formatOf, isGzip, isServiceFile } from '../flag/bulk.ts'
import { counted, duration } from '../output/figure.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  databaseFlag,
  formatFlag,
  {
    name: 'spreadsheet',
    about: 'write CSV whose cells no spreadsheet runs as formulas; nomen load reads it as the same',
  },
]

export const exportCommand: Command = {
  name: 'export',
  flags,
  help: `Usage: nomen export <noun or link> [file] [service file or folder] [options]

Writes all records of a noun (user), or all pairs of a link (user-role), in the order of their identity and as they are
at one moment, while the service goes on. The file is there when it is complete, and not before. Without a file, or with
-, they go to standard output, as NDJSON unless --format says csv or json. A name that ends in .gz (users.csv.gz) has the
file compressed.

${flagHelp(flags)}

nomen load takes what this command writes, in any format: all fields are the same again, down to the last character.
The version that an ETag is made of is not a field: loaded records begin with a new one.`,
  async run(given) {
    const args = readArguments(flags, given, ['noun', 'file', 'service file or folder'])
    const [noun, ...rest] = args.positionals
    if (noun === undefined) throw new CommandError('nomen export needs a noun.', 'Such as: nomen export user users.csv')
    const [path = '-', file] = rest.length === 1 && isServiceFile(`${rest[0]}`) ? ['-', ...rest] : rest
    if (isServiceFile(path))
      throw new CommandError(`${path} is no file for records.`, 'Name the file first, then the service file.')
    const format = formatOf(args, path) ?? (path === '-' ? 'ndjson' : undefined)
    if (format === undefined)
      throw new CommandError(`The name ${path} tells no format.`, 'Call it .csv, .ndjson or .json, or give --format.')
    const isForSpreadsheet = args.isOn('spreadsheet')
    if (isForSpreadsheet && format !== 'csv')
      throw new CommandError(
        `--spreadsheet is for CSV, and this is ${format}.`,
        'Call the file .csv, or give --format csv.',
      )
    const service = await loadService(file)
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const exported = await exportRecords(service, { database, noun, format, isForSpreadsheet })
    try {
      if (path === '-') await writeOut(noun, exported)
      else await writeFile(noun, path, exported)
    } finally {
      await exported.close()
    }
  },
}

/** Into a file of another name first, so that whoever finds the file finds all of it. */
async function writeFile(noun: string, path: string, exported: Export): Promise<void> {
  const signal = stopSignal()
  const progress = new Progress(`Exporting ${noun}`)
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  const file = await openFile(unfinished, path)
  try {
    const texts = told(exported, progress)
    for await (const part of isGzip(path) ? pipeline(texts, createGzip(), () => undefined) : texts) {
      if (signal.aborted) break
      await file.writeFile(part)
    }
    await file.sync()
    await file.close()
    if (!signal.aborted) await rename(unfinished, path)
  } finally {
    progress.clear()
    await file.close().catch(() => undefined)
    await rm(unfinished, { force: true })
  }
  if (signal.aborted) throw new CommandError('Stopped before the end.', `${path} was not written.`, 1)
  console.log(summary(`${noun} in ${path}`, exported, progress))
}

async function writeOut(noun: string, exported: Export): Promise<void> {
  const progress = new Progress(`Exporting ${noun}`)
  // A bar would stand among the records.
  const isApart = process.stdout.isTTY !== true
  // Every write tells its own error.
  process.stdout.on('error', () => undefined)
  try {
    for await (const text of isApart ? told(exported, progress) : texts(exported)) await print(text)
  } catch (error) {
    // Whoever read it has had enough.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exitCode = 1
    else throw error
    return
  } finally {
    progress.clear()
  }
  if (isApart) console.error(summary(noun, exported, progress))
}

async function* told(exported: Export, progress: Progress): AsyncGenerator<string> {
  let count = 0
  for await (const { text, numberOfRecords } of exported.parts()) {
    yield text
    count += numberOfRecords
    progress.reach({ count, ...(exported.numberOfRecords > 0 && { share: count / exported.numberOfRecords }) })
  }
}

async function* texts(exported: Export): AsyncGenerator<string> {
  for await (const { text } of exported.parts()) yield text
}

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

function summary(what: string, { numberOfRecords }: Export, { seconds }: Progress): string {
  return `${counted(numberOfRecords, 'record')} of ${what}, ${duration(seconds)}`
}

async function openFile(unfinished: string, path: string): Promise<FileHandle> {
  try {
    return await open(unfinished, 'w')
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CommandError(`${path} cannot be written: ${reason}.`, 'Name a file in a folder that is there.', 1)
  }
}
