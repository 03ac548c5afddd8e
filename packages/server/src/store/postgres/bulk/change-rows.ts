/** Meets records that are there already: compares them with their rows, and changes them where that is wanted. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import { changeOf, differences, refusedRow, withoutTargets } from '../../bulk/decision.ts'
import { linkConflict } from '../../decide/change.ts'
import { brokenRule, type Counted, wrongTransition } from '../../decide/refusal.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { recordJson } from '../../sql/record-json.ts'
import { linkCountQuery, storedShape } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { columnsOf } from '../migrate/table.ts'
import { identifier } from '../name.ts'
import { compile, type Statement } from '../statement.ts'
import { BatchConflict } from './conflict.ts'
import { identityOf } from './lookup.ts'
import { columnValues, recordsetText, tableset } from './recordset.ts'
import type { Met } from './sort-batch.ts'

/** A record that takes other values. */
interface Change {
  readonly identity: Value
  readonly values: Values
}

export class ChangeRows {
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

  async meet(met: readonly Met[]): Promise<ReadonlyMap<Met, RowOutcome>> {
    const outcomes = new Map<Met, RowOutcome>()
    const records = await this.#records(met.map(({ identity }) => identity))
    const changes: Change[] = []
    for (const one of met) {
      const record = records.get(one.identity)
      if (!record) throw new BatchConflict('Another writer has deleted a record of this batch.')
      const fate = await this.#fateOf(one, record)
      outcomes.set(one, 'kind' in fate ? fate : { kind: 'updated' })
      if (!('kind' in fate)) changes.push(fate)
    }
    for (const alike of byFields(changes)) await this.#update(alike)
    return outcomes
  }

  async #records(identities: readonly Value[]): Promise<ReadonlyMap<Value, Values>> {
    if (identities.length === 0) return new Map()
    const rows = await this.#run(this.#read, identities)
    return new Map(rows.map(([json, key]) => [identityOf(this.#noun, key) as Value, JSON.parse(`${json}`) as Values]))
  }

  async #fateOf({ row, missing }: Met, record: Values): Promise<Change | RowOutcome> {
    const fields = differences(this.#noun, row, record)
    if (fields.length === 0 || !this.#rules.isUpdating) return { kind: 'there', isDifferent: fields.length > 0 }
    const values = changeOf(this.#noun, row, fields)
    const open = missing.filter(({ field }) => field in values)
    if (open.length > 0) return withoutTargets(this.#noun, open)
    const next = { ...record, ...values }
    const refusal =
      wrongTransition(this.#noun, values, record) ??
      (await linkConflict(this.#stored, next, record, (link) => this.#linked(link, record))) ??
      brokenRule(this.#rules.check, next, record)
    return refusal ? refusedRow(refusal) : { identity: record[this.#noun.identity] as Value, values }
  }

  async #linked(link: AnyLink, record: Values): Promise<Counted> {
    const counted = compile<Value>(linkCountQuery(link, this.#noun))
    const [row] = await this.#run(counted, record[this.#noun.identity] as Value)
    return [Number(row?.[0])]
  }

  /** Changes of the same fields are one statement. */
  async #update(changes: readonly Change[]): Promise<void> {
    const { identity } = this.#noun
    const rows = changes.map((change) => columnValues(this.#stored, { ...change.values, [identity]: change.identity }))
    const names = Object.keys(rows[0] ?? {})
    const key = columnName(this.#noun, identity)
    const columns = columnsOf(this.#schema).filter(({ name }) => names.includes(name))
    const sets = columns
      .filter(({ name }) => name !== key)
      .map(({ name }) => `${identifier(name)} = one.${identifier(name)}`)
    const into = tableName(this.#noun)
    const text = `update ${identifier(into)} as t
set ${[...sets, '"_version" = t."_version" + 1'].join(', ')}
from ${tableset(into)}
where t.${identifier(key)} = one.${identifier(key)}`
    await this.#client.query(text, [recordsetText(rows)])
  }

  async #run<Input>({ text, bind }: Statement<Input>, input: Input): Promise<readonly (readonly unknown[])[]> {
    return (await this.#client.query({ text, values: bind(input), rowMode: 'array' })).rows
  }
}

/** Columns: JSON, identity. Records that may be changed are held, one after the other in their order. */
function recordsQuery(noun: AnyNoun, isHeld: boolean) {
  const spec = specOf(noun, noun.identity)
  const key = column(noun, noun.identity)
  const isOne = dialect.isAnyOf(
    spec,
    key,
    slot<readonly Value[]>((identities) => dialect.listValue(spec, identities)),
  )
  const held = isHeld ? sql` for update of t` : sql``
  return sql`select ${recordJson(dialect, storedShape(noun))}, ${key}
from ${table(noun)} as t
where ${isOne}
order by ${key}${held}`
}

function byFields(changes: readonly Change[]): readonly (readonly Change[])[] {
  const alike = new Map<string, Change[]>()
  for (const change of changes) {
    const key = Object.keys(change.values).sort().join()
    alike.set(key, [...(alike.get(key) ?? []), change])
  }
  return [...alike.values()]
}
