/** Fills columns in small batches, so that no other transaction waits long. */

import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { type DerivedSchema, fieldOf, type NounSchema } from '../../../migrate/schema/schema.ts'
import { deriveString } from '../../../text/derived-column.ts'
import { identifier } from '../../name.ts'
import { isAscii } from '../derive.ts'
import { typeOf } from '../sql/table.ts'
import type { OnlineStatement } from './statement.ts'

const rowsPerBatch = 2000
const pauseMs = 100

/** Copies values that are computed from other columns. */
export function fillValues(noun: NounSchema, column: string, expression: string): OnlineStatement {
  const [table, to] = [identifier(noun.name), identifier(column)]
  const isEmpty = `${to} is null and ${expression} is not null`
  const sql = `update ${table} set ${to} = ${expression} where ${isEmpty}`
  const fill = (client: ClientBase, ids: readonly string[]) =>
    client.query(`${sql} and ${identifier(noun.identity)} = any($1::${identityType(noun)}[])`, [ids])
  return { sql: `${sql} -- in batches`, run: (client) => inBatches(client, noun, isEmpty, fill) }
}

/** Derives columns. PostgreSQL folds ASCII strings itself. */
export function fillDerived(noun: NounSchema, { name, from, derivation }: DerivedSchema): OnlineStatement {
  const [table, to, source, identity] = [noun.name, name, from, noun.identity].map(identifier) as [
    string,
    string,
    string,
    string,
  ]
  const isEmpty = `${to} is null and ${source} is not null`

  const write = `update ${table} set ${to} = _derived.value
from unnest($1::${identityType(noun)}[], $2::text[], $3::text[]) as _derived (record, source, value)
where ${table}.${identity} = _derived.record and ${source} = _derived.source and ${to} is null`
  const fill = async (client: ClientBase, ids: readonly string[]) => {
    const isInBatch = `${identity} = any($1::${identityType(noun)}[])`
    if (derivation.kind !== 'sort-key')
      await client.query(
        `update ${table} set ${to} = lower(${source}) where ${isInBatch} and ${isEmpty} and ${isAscii(source)}`,
        [ids],
      )
    const select = `select ${identity}::text as record, ${source} as source
from ${table}
where ${isInBatch} and ${isEmpty}`
    const { rows } = await client.query<{ record: string; source: string }>(select, [ids])
    if (rows.length === 0) return
    const derived = rows.map((row) => deriveString(derivation, row.source))
    await client.query(write, [rows.map(({ record }) => record), rows.map((row) => row.source), derived])
  }
  const work = derivation.kind === 'sort-key' ? 'sort keys' : 'folded strings'
  return {
    sql: `update ${table} set ${to} = … where ${isEmpty} -- ${work}, in batches`,
    run: (client) => inBatches(client, noun, isEmpty, fill),
  }
}

/** Rows that another transaction has locked are left for the next pass. */
async function inBatches(
  client: ClientBase,
  noun: NounSchema,
  isEmpty: string,
  fill: (client: ClientBase, ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const [table, identity] = [identifier(noun.name), identifier(noun.identity)]
  const next = `select ${identity}::text as record from ${table}
where ${isEmpty} and ($1::${identityType(noun)} is null or ${identity} > $1)
order by ${identity} limit ${rowsPerBatch}
for no key update skip locked`
  const pass = async () => {
    let lastId: string | null = null
    while (true) {
      const { rows }: { rows: { record: string }[] } = await client.query(next, [lastId])
      lastId = rows.at(-1)?.record ?? null
      if (lastId === null) return
      await fill(
        client,
        rows.map(({ record }) => record),
      )
    }
  }
  const hasUnfilled = async () => (await client.query(`select from ${table} where ${isEmpty} limit 1`)).rows.length > 0
  await pass()
  while (await hasUnfilled()) {
    await pause(pauseMs)
    await pass()
  }
}

function identityType(noun: NounSchema): string {
  return typeOf(fieldOf(noun, noun.identity))
}
