/** The flag of commands that are about a file of SQLite. */
import type { Flag } from '../command.ts'

export const sqliteFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'address',
  about: 'sqlite:data/<service>.db unless given',
}
