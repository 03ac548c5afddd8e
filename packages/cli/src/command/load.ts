/** `nomen load`: loads the records of a file into the database of a service. */
import { type LoadProgress, type LoadReport, loadRecords } from '@nomen/server/admin'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { databaseFlag, formatFlag, formatOf } from '../flag/bulk.ts'
import { type BulkSource, bulkSource } from '../load/bulk-source.ts'
import { duration, grouped } from '../output/figure.ts'
import { Progress, type Reached } from '../output/progress.ts'
import { RejectList } from '../output/reject-list.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  databaseFlag,
  { name: 'update', about: 'records that are there take the values of the file; without it they are left as they are' },
  {
    name: 'rejects',
    value: 'file',
    about: 'write every rejected record with its line (of a JSON array its number) and reason, as NDJSON',
  },
  formatFlag,
  {
    name: 'member',
    value: 'name',
    about: 'the array of records in a JSON file that is an object; the name of the noun unless given',
  },
  { name: 'again', about: 'load though the same file was loaded before (see below)' },
]

export const loadCommand: Command = {
  name: 'load',
  flags,
  help: `Usage: nomen load <noun or link> <file> [service file or folder] [options]

Loads records of a noun (user), or pairs of a link (user-role: columns user and role), into the database of a service,
which may be serving meanwhile. - is standard input. Names are those of the stored fields, values are read as in a
request. What is left out takes its default; createdAt and updatedAt are now, an identity is counted up, unless given.
A record that cannot be loaded is rejected, with its line and reason (in a JSON array it is counted by itself), and the others are loaded; the exit code is then 1.

${flagHelp(flags)}

CSV      comma, double quotes, UTF-8, a first line that names the columns. A cell with nothing in it is null where the
         field may be null, else its default, else the empty text. "" is the empty text. Blank lines are passed over.
NDJSON   one JSON object a line.
JSON     an array of objects, or an object with such an array among its members, as json-server keeps them.
Any of them may be compressed by gzip (.csv.gz).

A load can be repeated, also after it was cut off: a record whose identity is there is left as it is, and so is one
without identity that has all unique values of a record. Where a noun has no unique field and the file no identity, the
database keeps how far the file was loaded; the same file goes on from there, and rejected lines are tried again.
References to records of the same noun may point further down in the file.`,
  async run(given) {
    const args = readArguments(flags, given, ['noun', 'file', 'service file or folder'])
    const [noun, path, file] = args.positionals
    if (noun === undefined || path === undefined)
      throw new CommandError('nomen load needs a noun and a file.', 'Such as: nomen load user users.csv')
    const format = formatOf(args, path)
    const signal = stopSignal()
    const source = bulkSource(path, signal)
    const service = await loadService(file)
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const progress = new Progress(`Loading ${noun}`)
    const rejects = new RejectList(args.text('rejects'), (text) => progress.say(text))
    try {
      const report = await loadRecords(service, {
        database,
        noun,
        source,
        ...(format && { format }),
        ...(args.text('member') !== undefined && { member: `${args.text('member')}` }),
        isUpdating: args.isOn('update'),
        isAnew: args.isOn('again'),
        signal,
        onReject: (reject) => rejects.add(reject),
        onProgress: (reached) => progress.reach(reachedOf(reached, source)),
      })
      progress.clear()
      console.log(summary(report, { seconds: progress.seconds, path, isUpdating: args.isOn('update') }))
      if (report.rejected > 0 || report.isStopped) process.exitCode = 1
    } finally {
      progress.clear()
      rejects.close()
    }
  },
}

function reachedOf({ waiting, ...counts }: LoadProgress, { share }: BulkSource): Reached {
  const { loaded, updated, there, rejected } = counts
  const notes = [
    ...(waiting > 0 ? [`${grouped(waiting)} waiting for others`] : []),
    ...(rejected > 0 ? [`${grouped(rejected)} rejected`] : []),
  ]
  const done = loaded + updated + there + rejected
  // What waits has been read, and is still to be done.
  const read = share()
  return { count: done, ...(read !== undefined && { share: read * (done / Math.max(done + waiting, 1)) }), notes }
}

interface Circumstances {
  readonly seconds: number
  readonly path: string
  readonly isUpdating: boolean
}

function summary(report: LoadReport, { seconds, path, isUpdating }: Circumstances): string {
  const { loaded, updated, there, different, rejected, earlier } = report
  const rows: [string, number, string?][] = [
    ['loaded', loaded],
    ...(isUpdating ? [['updated', updated] as [string, number]] : []),
    ['already there', there, different > 0 ? differentNote(different) : ''],
    ['rejected', rejected],
  ]
  const width = Math.max(...rows.map(([, count]) => grouped(count).length))
  const lines = rows.map(
    ([name, count, note]) => `  ${name.padEnd(13)}  ${grouped(count).padStart(width)}${note ? `   ${note}` : ''}`,
  )
  const done = loaded + updated + there + rejected
  return [
    ...lines,
    `  ${duration(seconds)}, ${grouped(Math.round(done / Math.max(seconds, 0.001)))} records a second`,
    ...(earlier
      ? [
          `Records up to ${report.unit} ${grouped(earlier.line)} were loaded from this file before (${momentOf(earlier.moment)}). --again loads them once more.`,
        ]
      : []),
    ...(report.isRepeating
      ? [
          `Some records have neither an identity nor unique values, and ${path === '-' ? 'standard input' : path} cannot be read twice: a second run would load them again.`,
        ]
      : []),
    ...(report.isStopped ? ['Stopped before the end. Run it again to load the rest.'] : []),
  ].join('\n')
}

function differentNote(different: number): string {
  return `${grouped(different)} with other values in the file: --update takes these`
}

/** `2026-11-15 03:29`, in UTC. */
function momentOf(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')} UTC`
}
