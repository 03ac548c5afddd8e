/** The flag `--database` of commands that work only with SQLite. */
import type { Flag } from '../command.ts'

export const sqliteFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'URL',
  about: 'database URL (default: sqlite:data/<service>.db)',
}
