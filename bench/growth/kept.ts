/** The folder for filled databases, which are kept between runs. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A filled database with this number of users. */
export interface FilledDatabase {
  readonly address: string
  readonly users: number
}

export function databaseFolder(): string {
  const folder = join(tmpdir(), 'nomen-bench-growth')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Part of a database's name: a database of another schema is not used. */
export function fingerprint(schema: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 8)
}

const week = 7 * 24 * 3_600_000

/** Whether a database of another schema can be deleted. */
export function isOld(time: Date): boolean {
  return Date.now() - time.getTime() > week
}
