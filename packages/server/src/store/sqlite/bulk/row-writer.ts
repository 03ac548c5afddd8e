/** Writes single rows of a bulk load, within an open transaction: inserted, left unchanged, updated, or rejected. */
import type { DatabaseSync } from 'node:sqlite'
import { type AnyLink, type AnyNoun, targetOf, type Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import { absentFields } from '../../bulk/absent-field.ts'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import {
  decideUpdate,
  hasUniqueKey,
  isIdentified,
  missingTargets,
  recordOfRow,
  rejectedRow,
  type TenantTarget,
  tenantOfRecord,
  tenantReferences,
} from '../../bulk/decision.ts'
import { linkConflict } from '../../decide/change.ts'
import {
  type RecordCount,
  ruleRejection,
  takenRejection,
  targetsIn,
  transitionRejection,
} from '../../decide/rejection.ts'
import { faultOf } from '../../fault/fault.ts'
import { uniqueSets } from '../../migrate/schema/model-schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Rejection } from '../../outcome.ts'
import type { Values } from '../../plan.ts'
import { insertNewQuery, storedQuery, tenantQuery, uniqueMatchQuery } from '../../sql/bulk-query.ts'
import { linkCountQuery } from '../../sql/link-query.ts'
import { existsQuery, storedShape } from '../../sql/record-query.ts'
import type { Sql } from '../../sql/sql.ts'
import { updateQuery, type WriteInput } from '../../sql/write-query.ts'
import { sqliteDialect } from '../dialect.ts'
import { prepare, type Statement } from '../statement.ts'
import { takenFields } from '../write/constraint.ts'

export class SqliteRowWriter {
  readonly #database: DatabaseSync
  readonly #stored: StoredNoun
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  readonly #rules: WriteRules
  // biome-ignore lint/suspicious/noExplicitAny: each key has one kind of input, which its caller knows
  readonly #statements = new Map<string, Statement<any>>()
  readonly #absentOf: (values: Values) => readonly string[]
  /** Whether the last record already existed. */
  #isExisting = false
  readonly #tenantReferences: readonly string[]

  constructor(database: DatabaseSync, stored: StoredNoun, rules: WriteRules) {
    this.#database = database
    this.#stored = stored
    this.#noun = stored.noun
    this.#sets = uniqueSets(stored.noun)
    this.#rules = rules
    this.#absentOf = absentFields(stored.noun)
    this.#tenantReferences = tenantReferences(stored.noun)
  }

  write(row: BulkRow): RowOutcome {
    // After an existing record, the next one may exist too. A failed insert would use up an identity.
    const existing = this.#isExisting ? this.#find(row) : undefined
    const inserted = existing || row.cannotInsert ? undefined : this.#insert(row)
    this.#isExisting = inserted === undefined
    if (inserted) return inserted
    const match = existing ?? this.#find(row)
    if (match === undefined) return notInserted(row)
    return 'reason' in match ? rejectedRow(match) : this.#updateExisting(row, match.record)
  }

  /** The change of a row before its rules are checked; or its outcome, if nothing needs to be written. */
  plan(row: BulkRow): RowChange | RowOutcome {
    const match = this.#find(row)
    if (match && 'reason' in match) return rejectedRow(match)
    if (match) return this.#change(row, match.record)
    if (row.cannotInsert) return { kind: 'not-insertable' }
    const missing = [...this.#missingTargets(row.values), ...this.#otherTenants(row)]
    return missing.length > 0 ? missingTargets(this.#noun, missing, row.values) : { next: row.values }
  }

  /** Undefined if the record, or one of its unique values, already exists. */
  #insert(row: BulkRow): RowOutcome | undefined {
    const { values } = row
    const otherTenants = this.#otherTenants(row)
    if (otherTenants.length > 0 && this.#find(row)) return undefined
    if (otherTenants.length > 0)
      return missingTargets(this.#noun, [...this.#missingTargets(values), ...otherTenants], values)
    try {
      return this.#insertStatement(values).run({ key: null, values }) === 1 ? { kind: 'loaded' } : undefined
    } catch (error) {
      const missing = faultOf(error) === 'no-target' ? this.#missingTargets(values) : []
      if (missing.length === 0) throw error
      return missingTargets(this.#noun, missing, values)
    }
  }

  /** The database sets the next identity, and columns with a default. */
  #insertStatement(values: Values): Statement<WriteInput> {
    const { identity, fields } = this.#noun
    const absent = this.#absentOf(values)
    const isNumbered = values[identity] === undefined
    const names = () =>
      Object.keys(fields).filter((field) => !absent.includes(field) && !(isNumbered && field === identity))
    return this.#statement(`insert ${isNumbered} ${absent.join()}`, () =>
      insertNewQuery(sqliteDialect, this.#stored, names()),
    )
  }

  /** The references of a row to missing records. A new record may refer to itself. */
  #missingTargets(values: Values) {
    const isItself = (noun: AnyNoun, value: Value) => noun === this.#noun && value === values[noun.identity]
    return targetsIn(this.#noun, { values }).filter(
      ({ noun, value }) => !isItself(noun, value) && !this.#exists(noun, value),
    )
  }

  /** The references of a row to records of another tenant. Of an existing record, those in the file. */
  #otherTenants({ values, inputFields }: BulkRow, record?: Values): readonly TenantTarget[] {
    if (this.#tenantReferences.length === 0) return []
    const ownTenant = tenantOfRecord(this.#noun, record ?? values)
    return this.#tenantReferences.flatMap((field) => {
      if (record && !inputFields.includes(field)) return []
      const value = values[field] ?? null
      const target = targetOf(this.#noun, field)
      const query = () => this.#statement<Value>(`tenant ${target.name}`, () => tenantQuery(target))
      const row = value === null ? undefined : query().first(value)
      return row && row[0] !== ownTenant ? [{ field, value, tenant: row[0] as Value }] : []
    })
  }

  #find(row: BulkRow): { readonly record: Values } | Rejection | undefined {
    const record = isIdentified(this.#noun, row) ? this.#record(row.values[this.#noun.identity] as Value) : undefined
    if (record) return { record }
    const match = recordOfRow(
      this.#noun,
      row,
      this.#sets.map((set) => this.#findByUnique(set, row.values)),
    )
    if (match === undefined || 'reason' in match) return match
    const holder = this.#record(match.identity)
    return holder && { record: holder }
  }

  /** An existing record is left unchanged, or takes the given values. */
  #updateExisting(row: BulkRow, record: Values): RowOutcome {
    const change = this.#change(row, record)
    return 'kind' in change ? change : this.#update(change.values, change.next)
  }

  #change(row: BulkRow, record: Values): (Required<RowChange> & { readonly values: Values }) | RowOutcome {
    const update = decideUpdate(this.#noun, row, record, this.#rules, {
      missing: (changed) => this.#missingTargets(changed),
      otherTenants: () => this.#otherTenants(row, record),
    })
    if ('kind' in update) return update
    const { values } = update
    const next = { ...record, ...values }
    const rejection = this.#rejection(values, next, record)
    return rejection ? rejectedRow(rejection) : { values, next, previous: record }
  }

  #rejection(change: Values, next: Values, previous: Values): Rejection | undefined {
    return (
      transitionRejection(this.#noun, change, previous) ??
      immediate(linkConflict(this.#stored, next, previous, (link) => this.#countLinks(link, previous))) ??
      ruleRejection(this.#rules.check, next, previous)
    )
  }

  #countLinks(link: AnyLink, record: Values): RecordCount {
    const statement = this.#statement<Value>(`linked ${link.name}`, () => linkCountQuery(link, this.#noun))
    return [Number(statement.first(record[this.#noun.identity] as Value)?.[0])]
  }

  #update(values: Values, next: Values): RowOutcome {
    const fields = Object.keys(values)
    const update = this.#statement<WriteInput>(`update ${fields.join()}`, () =>
      updateQuery(sqliteDialect, this.#stored, storedShape(this.#noun), fields),
    )
    try {
      update.first({ key: next[this.#noun.identity] as Value, values })
      return { kind: 'updated' }
    } catch (error) {
      const takenSet = takenFields(this.#noun, error)
      if (takenSet) return rejectedRow(takenRejection(takenSet, next))
      throw error
    }
  }

  #record(identity: Value): Values | undefined {
    const query = this.#statement<Value>('record', () => storedQuery(sqliteDialect, this.#noun))
    const row = query.first(identity)
    return row && (JSON.parse(row[0] as string) as Values)
  }

  #findByUnique(set: readonly string[], values: Values): Value | undefined {
    if (!hasUniqueKey(set, values)) return undefined
    const query = this.#statement<Values>(`unique ${set.join()}`, () =>
      uniqueMatchQuery(sqliteDialect, this.#noun, set),
    )
    return query.first(values)?.[0] as Value | undefined
  }

  #exists(noun: AnyNoun, key: Value): boolean {
    return this.#statement<Value>(`exists ${noun.name}`, () => existsQuery(noun)).first(key) !== undefined
  }

  #statement<Input>(key: string, build: () => Sql): Statement<Input> {
    const statement = this.#statements.get(key) ?? prepare<Input>(this.#database, build())
    this.#statements.set(key, statement)
    return statement
  }
}

/** The outcome of a row that was not inserted, although no record matches it. */
function notInserted({ cannotInsert, values }: BulkRow): RowOutcome {
  if (cannotInsert) return { kind: 'not-insertable' }
  throw new Error(`The database reports a row as existing, but has no such record: ${JSON.stringify(values)}`)
}
