/** The flag `--database` of the commands, and the database that it selects. */
import type { Arguments, Flag } from '../command.ts'
import { environmentValue } from '../environment.ts'

/** For commands that work only with SQLite. */
export const sqliteFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'URL',
  about: 'database URL (default: sqlite:data/<service>.db)',
}

/** The database of a service. */
export function databaseUrlOf(args: Arguments, service: { readonly name: string }): string {
  return args.text('database') ?? `sqlite:data/${service.name}.db`
}

/** For other commands, except `nomen serve`. */
export const databaseFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'URL',
  about:
    'sqlite:<file> or postgres://…; overrides DATABASE_DIRECT_URL, which overrides DATABASE_URL ' +
    '(default: sqlite:data/<service>.db)',
}

/** The database of a command. It needs its own sessions, which a pooler may not provide. */
export function directDatabaseOf(args: Arguments, service: { readonly name: string }): string {
  const direct = args.isOn('database') ? undefined : environmentValue('DATABASE_DIRECT_URL')
  return direct ?? databaseUrlOf(args, service)
}
