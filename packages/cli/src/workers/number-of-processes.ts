/** Reads the number of processes from `--workers`. */
import { availableParallelism } from 'node:os'
import type { Arguments } from '../command.ts'
import { CommandError, invalidValue } from '../command-error.ts'

const maxProcesses = 1024

/** The default is 1; `max` means one process per core. */
export function numberOfProcesses(args: Arguments): number {
  const text = args.text('workers') ?? '1'
  if (text === 'max') return availableParallelism()
  const count = /^\d+$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= maxProcesses) return count
  throw invalidValue(
    args.source('workers'),
    text,
    `a whole number from 1 to ${maxProcesses}, or "max" for one process per core`,
  )
}

/** With a database in memory, each process would have different records. */
export function rejectMemoryDatabase(args: Arguments): void {
  const database = args.text('database')
  if (database === undefined || !/:memory:|\bmode=memory\b/.test(database)) return
  throw new CommandError(
    `${args.source('workers')} is "${args.text('workers')}", but processes cannot share the database ${database}.`,
    'Use a file, such as sqlite:data/directory.db, or one process.',
  )
}
