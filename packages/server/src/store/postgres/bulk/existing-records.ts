/** Compares rows with existing records, and changes the records if the load updates. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import { decideUpdate, rejectedRow, tenantOfRecord } from '../../bulk/decision.ts'
import { linkConflict } from '../../decide/change.ts'
import { type RecordCount, ruleRejection, transitionRejection } from '../../decide/rejection.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { linkCountQuery } from '../../sql/link-query.ts'
import { recordJson } from '../../sql/record-json.ts'
import { storedShape } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { columnsOf } from '../migrate/sql/table.ts'
import { identifier } from '../name.ts'
import { compile, type Statement } from '../statement.ts'
import { BatchConflict } from './batch-conflict.ts'
import { identityOf } from './batch-lookup.ts'
import { columnValues, recordsetJson, tableRecordset } from './recordset.ts'
import type { ExistingRow } from './sort-batch.ts'

/** New values of a record. */
interface Change {
  readonly identity: Value
  readonly values: Values
}

export class ExistingRecords {
  readonly #client: ClientBase
  readonly #stored: StoredNoun
  readonly #noun: AnyNoun
  readonly #schema: NounSchema
  readonly #rules: WriteRules
  readonly #read: Statement<readonly Value[]>

  constructor(client: ClientBase, stored: StoredNoun, schema: NounSchema, rules: WriteRules) {
    this.#client = client
    this.#stored = stored
    this.#noun = stored.noun
    this.#schema = schema
    this.#rules = rules
    this.#read = compile(recordsQuery(stored.noun, rules.isUpdating))
  }

  async apply(matches: readonly ExistingRow[]): Promise<ReadonlyMap<ExistingRow, RowOutcome>> {
    const outcomes = new Map<ExistingRow, RowOutcome>()
    const records = await this.#records(matches.map(({ identity }) => identity))
    const changes: Change[] = []
    for (const match of matches) {
      const record = existingRecord(records, match)
      const effect = await this.#effectOf(match, record)
      outcomes.set(match, 'kind' in effect ? effect : { kind: 'updated' })
      if (!('kind' in effect)) changes.push(effect)
    }
    for (const group of byFields(changes)) await this.#update(group)
    return outcomes
  }

  /** The change of a row before its rules are checked; or its outcome, if nothing needs to be written. */
  async plan(match: ExistingRow): Promise<RowChange | RowOutcome> {
    const record = existingRecord(await this.#records([match.identity]), match)
    const effect = await this.#effectOf(match, record)
    return 'kind' in effect ? effect : { next: { ...record, ...effect.values }, previous: record }
  }

  async #records(identities: readonly Value[]): Promise<ReadonlyMap<Value, Values>> {
    if (identities.length === 0) return new Map()
    const rows = await this.#run(this.#read, identities)
    return new Map(rows.map(([json, key]) => [identityOf(this.#noun, key) as Value, JSON.parse(`${json}`) as Values]))
  }

  async #effectOf({ row, missing, targets }: ExistingRow, record: Values): Promise<Change | RowOutcome> {
    const update = decideUpdate(this.#noun, row, record, this.#rules, {
      missing: (changed) => missing.filter(({ field }) => field in changed),
      otherTenants: () => this.#otherTenants(row, targets, record),
    })
    if ('kind' in update) return update
    const { values } = update
    const next = { ...record, ...values }
    const rejection =
      transitionRejection(this.#noun, values, record) ??
      (await linkConflict(this.#stored, next, record, (link) => this.#countLinks(link, record))) ??
      ruleRejection(this.#rules.check, next, record)
    return rejection ? rejectedRow(rejection) : { identity: record[this.#noun.identity] as Value, values }
  }

  /** The references in the file to records of another tenant. */
  #otherTenants({ inputFields }: BulkRow, targets: ExistingRow['targets'], record: Values): ExistingRow['targets'] {
    if (targets.length === 0) return targets
    const ownTenant = tenantOfRecord(this.#noun, record)
    return targets.filter(({ field, tenant }) => tenant !== ownTenant && inputFields.includes(field))
  }

  async #countLinks(link: AnyLink, record: Values): Promise<RecordCount> {
    const statement = compile<Value>(linkCountQuery(link, this.#noun))
    const [row] = await this.#run(statement, record[this.#noun.identity] as Value)
    return [Number(row?.[0])]
  }

  /** Changes of the same fields run in one statement. */
  async #update(changes: readonly Change[]): Promise<void> {
    const { identity } = this.#noun
    const rows = changes.map((change) => columnValues(this.#stored, { ...change.values, [identity]: change.identity }))
    const names = Object.keys(rows[0] ?? {})
    const key = columnName(this.#noun, identity)
    const columns = columnsOf(this.#schema).filter(({ name }) => names.includes(name))
    const sets = columns
      .filter(({ name }) => name !== key)
      .map(({ name }) => `${identifier(name)} = item.${identifier(name)}`)
    const targetTable = tableName(this.#noun)
    const query = `update ${identifier(targetTable)} as t
set ${[...sets, '"_version" = t."_version" + 1'].join(', ')}
from ${tableRecordset(targetTable)}
where t.${identifier(key)} = item.${identifier(key)}`
    await this.#client.query(query, [recordsetJson(rows)])
  }

  async #run<Input>({ text, bind }: Statement<Input>, input: Input): Promise<readonly (readonly unknown[])[]> {
    return (await this.#client.query({ text, values: bind(input), rowMode: 'array' })).rows
  }
}

function existingRecord(records: ReadonlyMap<Value, Values>, { identity }: ExistingRow): Values {
  const record = records.get(identity)
  if (!record) throw new BatchConflict('Another writer has deleted a record of this batch.')
  return record
}

/** Columns: JSON, identity. Records that may change are locked in the order of their identities. */
function recordsQuery(noun: AnyNoun, isLocked: boolean) {
  const spec = specOf(noun, noun.identity)
  const key = column(noun, noun.identity)
  const isListed = dialect.isAnyOf(
    spec,
    key,
    slot<readonly Value[]>((identities) => dialect.listValue(spec, identities)),
  )
  const lock = isLocked ? sql` for update of t` : sql``
  return sql`select ${recordJson(dialect, storedShape(noun))}, ${key}
from ${table(noun)} as t
where ${isListed}
order by ${key}${lock}`
}

function byFields(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const key = Object.keys(change.values).sort().join()
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()]
}
