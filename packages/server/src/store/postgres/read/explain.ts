/** Explains the statement of a list on a PostgreSQL server. */
import type { ClientBase } from 'pg'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { faultOf } from '../../fault/fault.ts'
import { schemaMismatchError } from '../../migrate/error.ts'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { withAdopted } from '../../migrate/schema/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { defaultListBytes } from '../../store.ts'
import { withClient } from '../connect/client.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { listForm } from './list-statement.ts'

/** The time limit of a list. */
const timeoutMs = 10_000

export async function explainOnServer(url: string, model: Model, plan: ListPlan) {
  return withClient(new PostgresHosts(readPostgresUrl(url)), async (client) => {
    const before = await readSchema(client)
    if (missingChanges(before, withAdopted(schemaOf(model), before), true).length > 0) throw schemaMismatchError()
    const stored = model.nouns.get(plan.operation.shape.noun.name) as StoredNoun
    const { text, bind } = listForm(stored, plan, defaultListBytes).build()
    const values = bind(plan)
    await client.query(`set statement_timeout = ${timeoutMs}`)
    const startMs = performance.now()
    const numberOfRecords = await numberOf(client, text, values)
    const durationMs = performance.now() - startMs
    const options = numberOfRecords === undefined ? 'costs' : 'analyze, timing off'
    const { rows } = await client.query<[string]>({
      text: `explain (${options}, summary off) ${text}`,
      values,
      rowMode: 'array',
    })
    return { numberOfRecords, durationMs, statement: text, steps: rows.map(([line]) => line) }
  })
}

async function numberOf(client: ClientBase, text: string, values: unknown[]): Promise<number | undefined> {
  try {
    const { rows } = await client.query<[string, string]>({ text, values, rowMode: 'array' })
    return Number(rows[0]?.[0])
  } catch (error) {
    if (faultOf(error) === 'timeout') return undefined
    throw error
  }
}
