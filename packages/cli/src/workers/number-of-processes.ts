/** How many processes serve. */
import { availableParallelism } from 'node:os'
import type { Arguments } from '../command.ts'
import { CommandError } from '../command-error.ts'

const most = 1024

/** `--workers`: 1 unless given; `max`, or 0, is one for each core. */
export function numberOfProcesses(args: Arguments): number {
  const text = args.text('workers') ?? '1'
  if (text === 'max' || text === '0') return availableParallelism()
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new CommandError(
    `${args.source('workers')} is "${text}".`,
    `Give a whole number from 1 to ${most}, or max for one process for each core.`,
  )
}

/** Each process would have a memory of its own, and a client would meet now one, now another. */
export function refuseMemory(args: Arguments): void {
  const address = args.text('database')
  if (address === undefined || !/:memory:|\bmode=memory\b/.test(address)) return
  throw new CommandError(
    `${args.source('workers')} is "${args.text('workers')}", and processes cannot share the database ${address}.`,
    'Name a file, such as sqlite:data/directory.db, or serve with one process.',
  )
}
