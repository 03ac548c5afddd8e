/** Nomen's own tables, and the statements that create them. */
import { quotedName } from '../sql.ts'
import { exactText, type OwnTable, type OwnTableDialect } from './dialect.ts'

/** The snapshot of the last migrated schema: a single row. */
const schemaTable: OwnTable = {
  name: '_schema',
  key: { only: 'integer' },
  values: { format: 'integer', snapshot: 'text', applied: 'timestamptz(3)' },
  check: '"only" = 1',
}

/** Responses to create requests, by their Idempotency-Key. */
const idempotencyTable: OwnTable = {
  name: '_idempotency',
  key: { key: exactText },
  values: { fingerprint: 'text', identity: 'identity', version: 'integer', body: 'text', created: 'timestamptz(3)' },
  indexed: 'created',
}

/** Requests by day, operation, caller and first digit of the status. */
export const usageTable: OwnTable = {
  name: '_usage',
  key: { day: 'date', method: exactText, path: exactText, kind: exactText, caller: exactText, status: 'smallint' },
  values: { requests: 'bigint', bytes: 'bigint', first: 'timestamptz(0)', last: 'timestamptz(0)' },
  isHot: true,
}

/** When an instance was running on a day, and the number of its last usage batch. */
const usageInstanceTable: OwnTable = {
  name: '_usage_instance',
  key: { day: 'date', instance: exactText },
  values: { number: 'bigint', first: 'timestamptz(0)', last: 'timestamptz(0)' },
  isHot: true,
}

/** The last loaded line of a file, and when it was loaded. */
const loadTable: OwnTable = {
  name: '_load',
  key: { noun: exactText, fingerprint: exactText },
  values: { line: 'bigint', moment: 'timestamptz(3)' },
}

/** Earlier lines that were not loaded. */
export const loadOpenTable: OwnTable = {
  name: '_load_open',
  key: { noun: exactText, fingerprint: exactText, line: 'bigint' },
  values: {},
}

/** How far each consumer of changes has come, and which process holds it until when. Times are in milliseconds since 1970. */
const consumerTable: OwnTable = {
  name: '_consumer',
  key: { name: exactText },
  values: {
    position: 'bigint',
    failures: 'integer',
    failingSince: 'bigint',
    retryAt: 'bigint',
    replayedAt: 'bigint',
    owner: 'text',
    heldUntil: 'bigint',
  },
  isHot: true,
}

/** The timelines of a PostgreSQL server, each with a random string, for replicas. */
const timelineTable: OwnTable = {
  name: '_timeline',
  key: { timeline: 'bigint' },
  values: { token: 'text' },
}

/** An empty table on PostgreSQL. Transactions of handlers lock it. */
export const transactionTable: OwnTable = {
  name: '_transaction',
  key: { only: 'integer' },
  values: {},
}

/** The tables that the first migration creates. */
export const ownTables = [
  schemaTable,
  idempotencyTable,
  usageTable,
  usageInstanceTable,
  loadTable,
  loadOpenTable,
  consumerTable,
]

/** Further tables on PostgreSQL. */
export const postgresTables = [timelineTable, transactionTable]

export function createTables(dialect: OwnTableDialect, tables: readonly OwnTable[]): readonly string[] {
  return tables.flatMap((table) => [createTable(dialect, table), ...createIndex(dialect, table)])
}

function createTable({ keyword, typeOf, tableOptions }: OwnTableDialect, table: OwnTable): string {
  const key = Object.keys(table.key)
  const isSingle = key.length === 1
  const check = table.check === undefined ? '' : ` ${keyword('check')} (${table.check})`
  const lines = Object.entries({ ...table.key, ...table.values }).map(([column, type]) => {
    const constraint = isSingle && column === key[0] ? keyword('primary key') + check : keyword('not null')
    return `${quotedName(column)} ${typeOf(type)} ${constraint}`
  })
  if (!isSingle) lines.push(`${keyword('primary key')} (${key.map(quotedName).join(', ')})`)
  const create = keyword('create table')
  return `${create} ${quotedName(table.name)} (\n  ${lines.join(',\n  ')}\n)${tableOptions(table)}`
}

function createIndex({ keyword }: OwnTableDialect, { name, indexed }: OwnTable): readonly string[] {
  if (indexed === undefined) return []
  const index = quotedName(`${name}_${indexed}`)
  return [`${keyword('create index')} ${index} ${keyword('on')} ${quotedName(name)} (${quotedName(indexed)})`]
}
