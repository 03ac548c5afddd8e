/** The flags of `nomen serve` for the database. */
import type { DatabasePool } from '@nomen/server'
import { type Arguments, type Flag, inGroup } from '../command.ts'
import { wholeNumber } from './whole-number.ts'

export const databaseFlags: readonly Flag[] = inGroup('Database', [
  {
    name: 'database',
    environment: 'DATABASE_URL',
    value: 'URL',
    about:
      'database URL: sqlite:<file>, sqlite::memory: (not saved) or postgres://… (default: sqlite:data/<service>.db)',
  },
  {
    name: 'database-direct',
    environment: 'DATABASE_DIRECT_URL',
    value: 'URL',
    about:
      'URL of PostgreSQL for migrations and bulk loads, if the database URL is that of a pooler in transaction mode (default: the database URL)',
  },
  {
    name: 'database-read',
    environment: 'DATABASE_READ_URL',
    value: 'URL',
    about:
      'URL of PostgreSQL read replicas, hosts comma-separated; or the word "elsewhere" if only other instances of the service read from replicas. With either, write responses have the header X-Read-After: a client that sends it back to any instance sees these writes',
  },
  {
    name: 'database-connections',
    environment: 'DATABASE_CONNECTIONS',
    value: 'number',
    about: 'maximum number of connections of a process to each PostgreSQL server (default: 12)',
  },
  {
    name: 'database-max-life',
    environment: 'DATABASE_MAX_LIFE',
    value: 'seconds',
    about: 'replace connections to PostgreSQL after this time (default: 1800)',
  },
  {
    name: 'database-idle-timeout',
    environment: 'DATABASE_IDLE_TIMEOUT',
    value: 'seconds',
    about: 'close idle connections to PostgreSQL after this time (default: 60)',
  },
])

export function readPool(args: Arguments): DatabasePool {
  return {
    connections: wholeNumber(args, 'database-connections', 12, [1, 1000]),
    maxLifeMs: wholeNumber(args, 'database-max-life', 1800, [1, 604_800]) * 1000,
    idleTimeoutMs: wholeNumber(args, 'database-idle-timeout', 60, [1, 604_800]) * 1000,
  }
}
