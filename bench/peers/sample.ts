/** The records for every contender, read from the database of the service. */
import { DatabaseSync } from 'node:sqlite'

export interface Sample {
  readonly departments: readonly Row[]
  readonly users: readonly Row[]
}

export type Row = Readonly<Record<string, string | number | null>>

export const departmentColumns = ['id', 'name', 'retired']

// biome-ignore format: one shape, one line
export const userColumns = ['id', 'firstName', 'lastName', 'username', 'email', 'phone', 'extension', 'status', 'department', 'supervisor', 'avatarColor', 'created', 'createdBy', 'lastUpdated', 'updatedBy']

export function readSample(file: string): Sample {
  const database = new DatabaseSync(file, { readOnly: true })
  const read = (table: string, columns: readonly string[]) => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    return database.prepare(`select ${names} from "${table}" order by id`).all() as Row[]
  }
  const sample = { departments: read('department', departmentColumns), users: read('user', userColumns) }
  database.close()
  return sample
}
