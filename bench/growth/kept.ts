/** The folder in which filled databases are kept from run to run. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A database of so many users that the service made, filled and ready. */
export interface Filled {
  readonly address: string
  readonly users: number
}

export function keptFolder(): string {
  const folder = join(tmpdir(), 'nomen-bench-growth')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Told in the name of a database: one that a service of another schema made is not used. */
export function fingerprint(schema: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 8)
}

const week = 7 * 24 * 3_600_000

/** Whether a database of another schema is not worth its place any more. */
export function isOld(time: Date): boolean {
  return Date.now() - time.getTime() > week
}
