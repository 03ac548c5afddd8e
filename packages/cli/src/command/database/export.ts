/** `nomen export`: writes all records of a noun to a file, or to standard output. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { type Export, exportRecords } from '@nomen/server/admin'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import { formatFlag, formatOf, isGzip } from '../../flag/bulk.ts'
import { databaseFlag, directDatabaseOf } from '../../flag/database-url.ts'
import { isServiceFile } from '../../input-file.ts'
import { countText, duration } from '../../output/number-text.ts'
import { Progress } from '../../output/progress.ts'
import { stopSignal } from '../../process/stop-signal.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  databaseFlag,
  formatFlag,
  {
    name: 'spreadsheet',
    about: 'escape CSV cells that a spreadsheet would run as formulas; nomen load reads the original values',
  },
]

export const exportCommand: Command = {
  name: 'export',
  flags,
  usage: 'export <noun or link> [file] [service file or folder] [options]',
  description: `Writes a consistent snapshot of all records of a noun (user), or all pairs of a link (user-role), ordered by ID. The
service may keep running. If the name of the file ends in .gz (users.csv.gz), the file is compressed. Without a file, or
with -, the command writes NDJSON to standard output (change it with --format). The file has a temporary name until it is
complete.`,
  notes: `nomen load reads all these formats and restores every value. Versions of records are not exported, so loaded records get
new ETags.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['noun', 'file', 'service file or folder'])
    const [noun, ...paths] = args.positionals
    if (noun === undefined)
      throw new CommandError('export needs a noun or link.', 'For example: nomen export user users.csv')
    const [path = '-', serviceFile] = paths.length === 1 && isServiceFile(`${paths[0]}`) ? ['-', ...paths] : paths
    if (isServiceFile(path))
      throw new CommandError(
        `${path} is a service file or folder, not a file for the records.`,
        'Specify the output file first, then the service file.',
      )
    const format = formatOf(args, path) ?? (path === '-' ? 'ndjson' : undefined)
    if (format === undefined)
      throw new CommandError(
        `The format of ${path} is unknown.`,
        'Use a name that ends in .csv, .ndjson or .json, or set --format.',
      )
    const isForSpreadsheet = args.isOn('spreadsheet')
    if (isForSpreadsheet && format !== 'csv')
      throw new CommandError(
        `--spreadsheet needs the format csv, but the format is ${format}.`,
        'Use a name that ends in .csv, or --format csv.',
      )
    const service = await loadService(serviceFile)
    const database = directDatabaseOf(args, service)
    const exported = await exportRecords(service, { database, noun, format, isForSpreadsheet })
    try {
      if (path === '-') await writeToStandardOutput(noun, exported)
      else await writeFile(noun, path, exported)
    } finally {
      await exported.close()
    }
  },
}

/** Writes to a temporary name and renames the file at the end, so that an incomplete file never has the final name. */
async function writeFile(noun: string, path: string, exported: Export): Promise<void> {
  const signal = stopSignal()
  const progress = new Progress(`Exporting ${noun}`)
  const temporaryPath = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  const file = await openFile(temporaryPath, path)
  try {
    const chunks = textsWithProgress(exported, progress)
    for await (const chunk of isGzip(path) ? pipeline(chunks, createGzip(), () => undefined) : chunks) {
      if (signal.aborted) break
      await file.writeFile(chunk)
    }
    await file.sync()
    await file.close()
    if (!signal.aborted) await rename(temporaryPath, path)
  } finally {
    progress.clear()
    await file.close().catch(() => undefined)
    await rm(temporaryPath, { force: true })
  }
  if (signal.aborted) throw new CommandError('The export was interrupted.', `${path} was not written.`, 1)
  console.log(summary(noun, exported, progress, ` to ${path}`))
}

async function writeToStandardOutput(noun: string, exported: Export): Promise<void> {
  const progress = new Progress(`Exporting ${noun}`)
  // On a terminal, a progress bar would mix with the records.
  const isRedirected = process.stdout.isTTY !== true
  // Each write reports its own error.
  process.stdout.on('error', () => undefined)
  try {
    for await (const text of isRedirected ? textsWithProgress(exported, progress) : texts(exported)) await print(text)
  } catch (error) {
    // The reader of the pipe has closed it.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exitCode = 1
    else throw error
    return
  } finally {
    progress.clear()
  }
  if (isRedirected) console.error(summary(noun, exported, progress))
}

async function* textsWithProgress(exported: Export, progress: Progress): AsyncGenerator<string> {
  let count = 0
  for await (const { text, numberOfRecords } of exported.parts()) {
    yield text
    count += numberOfRecords
    progress.update({ count, ...(exported.numberOfRecords > 0 && { share: count / exported.numberOfRecords }) })
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

function summary(noun: string, { numberOfRecords }: Export, { seconds }: Progress, target = ''): string {
  return `Exported ${countText(numberOfRecords, `${noun} record`)}${target} in ${duration(seconds)}.`
}

async function openFile(temporaryPath: string, path: string): Promise<FileHandle> {
  try {
    return await open(temporaryPath, 'w')
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CommandError(`${path} cannot be written: ${reason}.`, 'Use a file in an existing folder.', 1)
  }
}
