/** `nomen load`: loads the records of a file into the database of a service. */
import { type LoadProgress, type LoadReport, loadRecords } from '@nomen/server/admin'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import { formatFlag, formatOf } from '../../flag/bulk.ts'
import { databaseFlag, directDatabaseOf } from '../../flag/database-url.ts'
import { type BulkSource, bulkSource } from '../../load/bulk-source.ts'
import { duration, numberText } from '../../output/number-text.ts'
import { Progress, type ProgressState } from '../../output/progress.ts'
import { RejectList } from '../../output/reject-list.ts'
import { stopSignal } from '../../process/stop-signal.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  databaseFlag,
  { name: 'update', about: 'update existing records with the values of the file (default: leave them unchanged)' },
  {
    name: 'rejects',
    value: 'file',
    about: 'write every rejected record as NDJSON, with the reason and its line number (in a JSON array, its position)',
  },
  formatFlag,
  {
    name: 'member',
    value: 'name',
    about: 'if the JSON file contains an object: the member with the records (default: the name of the noun)',
  },
  { name: 'again', about: 'load the file from the start, even if part of it was already loaded (see below)' },
]

export const loadCommand: Command = {
  name: 'load',
  flags,
  usage: 'load <noun or link> <file> [service file or folder] [options]',
  description: `Loads records of a noun (user), or pairs of a link (user-role: columns user and role), into the database of a service.
The service may keep running. Use - for standard input. Name the columns after stored fields. Values are validated as
in a request. Missing values get their default, the current time or the next ID. Rejected records do not
stop the load: the command prints the first 20, each with its line number (in a JSON array, its position) and the reason,
and exits with 1 at the end. --rejects writes all of them to a file.`,
  notes: `  csv      comma, double quotes, UTF-8, a first line with the names of the columns
  ndjson   one JSON object per line
  json     an array of objects, or an object with such an array as a member

All formats may be compressed with gzip (.csv.gz). In CSV, an empty cell is null if the field is nullable, else the default
if there is one, else an empty string. A quoted empty cell ("") of a text field is always an empty string. Empty lines are
skipped. The db.json file of json-server is a JSON object with an array of records for each noun, and can be loaded.

You can repeat a load, even after a crash. Without --update, a record is skipped if its ID exists; a record without ID is
skipped if an existing record has the same values in all unique fields. If the file has no IDs and the noun has no unique
field, the database stores how much of the file was loaded. A second run continues there, and tries rejected lines again;
--again loads the file from the start. For standard input, no position is stored: a second run creates duplicates of
records that have neither an ID nor a unique field. A record may reference a later record of the same file.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['noun', 'file', 'service file or folder'])
    const [noun, path, serviceFile] = args.positionals
    if (noun === undefined || path === undefined)
      throw new CommandError('load needs a noun or link, and a file.', 'For example: nomen load user users.csv')
    const format = formatOf(args, path)
    const signal = stopSignal()
    const source = bulkSource(path, signal)
    const service = await loadService(serviceFile)
    const database = directDatabaseOf(args, service)
    const progress = new Progress(`Loading ${noun}`)
    const rejects = new RejectList(args.text('rejects'), (text) => progress.printLine(text))
    try {
      const load = loadRecords(service, {
        database,
        noun,
        source,
        ...(format && { format }),
        ...(args.text('member') !== undefined && { member: `${args.text('member')}` }),
        isUpdating: args.isOn('update'),
        isFromStart: args.isOn('again'),
        signal,
        onReject: (reject) => rejects.add(reject),
        onProgress: (loadProgress) => progress.update(progressStateOf(loadProgress, source)),
      })
      const report = await progress.during(load)
      console.log(summary(report, { seconds: progress.seconds, path, isUpdating: args.isOn('update') }))
      if (report.rejected > 0 || report.isStopped) process.exitCode = 1
    } finally {
      rejects.close()
    }
  },
}

function progressStateOf({ waiting, ...counts }: LoadProgress, { share }: BulkSource): ProgressState {
  const { loaded, updated, unchanged, rejected } = counts
  const notes = [
    ...(waiting > 0 ? [`${numberText(waiting)} waiting for referenced records`] : []),
    ...(rejected > 0 ? [`${numberText(rejected)} rejected`] : []),
  ]
  const processed = loaded + updated + unchanged + rejected
  // Waiting records are read, but not loaded yet.
  const readShare = share()
  return {
    count: processed,
    ...(readShare !== undefined && { share: readShare * (processed / Math.max(processed + waiting, 1)) }),
    notes,
  }
}

interface SummaryOptions {
  readonly seconds: number
  readonly path: string
  readonly isUpdating: boolean
}

function summary(report: LoadReport, { seconds, path, isUpdating }: SummaryOptions): string {
  const { loaded, updated, unchanged, different, rejected, earlier } = report
  const rows: [string, number, string?][] = [
    ['loaded', loaded],
    ...(isUpdating ? [['updated', updated] as [string, number]] : []),
    ['unchanged', unchanged, different > 0 ? differentNote(different) : ''],
    ['rejected', rejected],
  ]
  const width = Math.max(...rows.map(([, count]) => numberText(count).length))
  const lines = rows.map(
    ([name, count, note]) => `  ${name.padEnd(9)}  ${numberText(count).padStart(width)}${note ? `   ${note}` : ''}`,
  )
  const processed = loaded + updated + unchanged + rejected
  return [
    ...lines,
    `  ${duration(seconds)}, ${numberText(Math.round(processed / Math.max(seconds, 0.001)))} records per second`,
    ...(earlier
      ? [
          `Records up to ${report.unit} ${numberText(earlier.line)} were processed in an earlier run (${timeText(earlier.time)}). Use --again to start from the first ${report.unit}.`,
        ]
      : []),
    ...(report.isRepeating
      ? [
          `Some records have neither an ID nor unique values. A second run with ${path === '-' ? 'standard input' : path} would load them again.`,
        ]
      : []),
    ...(report.isStopped ? ['The load was interrupted. Run the command again to load the remaining records.'] : []),
  ].join('\n')
}

function differentNote(different: number): string {
  return `${numberText(different)} differ from the file. Use --update to overwrite them`
}

/** `2026-11-15 03:29`, in UTC. */
function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
}
