/** Writes single rows of a bulk load, inside a transaction that is open: inserted, left as it is, changed, or refused. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import {
  changeOf,
  differences,
  isIdentified,
  isTelling,
  recordMeant,
  refusedRow,
  withoutTargets,
} from '../../bulk/decision.ts'
import { linkConflict } from '../../decide/change.ts'
import { brokenRule, type Counted, taken, targetsIn, wrongTransition } from '../../decide/refusal.ts'
import { faultOf } from '../../fault.ts'
import { uniqueSets } from '../../migrate/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Refusal } from '../../outcome.ts'
import type { Values } from '../../plan.ts'
import { holderQuery, insertNewQuery, storedQuery } from '../../sql/bulk-query.ts'
import { existsQuery, linkCountQuery, storedShape, updateQuery, type WriteInput } from '../../sql/record-query.ts'
import type { Sql } from '../../sql/sql.ts'
import { sqliteDialect } from '../dialect.ts'
import { prepare, type Statement } from '../statement.ts'
import { takenFields } from '../write/constraint.ts'

export class SqliteRowWriter {
  readonly #database: DatabaseSync
  readonly #stored: StoredNoun
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  readonly #rules: WriteRules
  // biome-ignore lint/suspicious/noExplicitAny: each key stands for one kind of input, fixed where it is used
  readonly #statements = new Map<string, Statement<any>>()
  /** With the identity that the row has, and with the next one. */
  readonly #insertIdentified: Statement<WriteInput>
  readonly #insertCounted: Statement<WriteInput>
  /** Whether the last row was there already. */
  #isThere = false

  constructor(database: DatabaseSync, stored: StoredNoun, rules: WriteRules) {
    this.#database = database
    this.#stored = stored
    this.#noun = stored.noun
    this.#sets = uniqueSets(stored.noun)
    this.#rules = rules
    const fields = Object.keys(stored.noun.fields)
    const insert = (names: readonly string[]) =>
      prepare<WriteInput>(database, insertNewQuery(sqliteDialect, stored, names))
    this.#insertIdentified = insert(fields)
    this.#insertCounted = insert(fields.filter((field) => field !== stored.noun.identity))
  }

  write(row: BulkRow): RowOutcome {
    // After one that was there, the next may be too: an insert in vain would use up an identity.
    const early = this.#isThere ? this.#find(row) : undefined
    const inserted = early || row.isBarred ? undefined : this.#insert(row)
    this.#isThere = inserted === undefined
    if (inserted) return inserted
    const found = early ?? this.#find(row)
    if (found === undefined) return barred(row)
    return 'reason' in found ? refusedRow(found) : this.#meet(row, found.record)
  }

  /** Undefined where the record, or one of its unique values, is there already. */
  #insert({ values }: BulkRow): RowOutcome | undefined {
    const hasIdentity = values[this.#noun.identity] !== undefined
    const insert = hasIdentity ? this.#insertIdentified : this.#insertCounted
    try {
      return insert.run({ key: null, values }) === 1 ? { kind: 'loaded' } : undefined
    } catch (error) {
      const missing = faultOf(error) === 'no-target' ? this.#missingTargets(values) : []
      if (missing.length === 0) throw error
      return withoutTargets(this.#noun, missing)
    }
  }

  #missingTargets(values: Values) {
    return targetsIn(this.#noun, { values }).filter(({ noun, value }) => !this.#exists(noun, value))
  }

  #find(row: BulkRow): { readonly record: Values } | Refusal | undefined {
    const own = isIdentified(this.#noun, row) ? this.#record(row.values[this.#noun.identity] as Value) : undefined
    if (own) return { record: own }
    const meant = recordMeant(
      this.#noun,
      row,
      this.#sets.map((set) => this.#holder(set, row.values)),
    )
    if (meant === undefined || 'reason' in meant) return meant
    const record = this.#record(meant.identity)
    return record && { record }
  }

  /** The record is there: it is left as it is, or takes the given values. */
  #meet(row: BulkRow, record: Values): RowOutcome {
    const fields = differences(this.#noun, row, record)
    if (fields.length === 0 || !this.#rules.isUpdating) return { kind: 'there', isDifferent: fields.length > 0 }
    const change = changeOf(this.#noun, row, fields)
    const missing = this.#missingTargets(change)
    if (missing.length > 0) return withoutTargets(this.#noun, missing)
    const next = { ...record, ...change }
    const refusal = this.#refusal(change, next, record)
    return refusal ? refusedRow(refusal) : this.#update(change, next)
  }

  #refusal(change: Values, next: Values, previous: Values): Refusal | undefined {
    return (
      wrongTransition(this.#noun, change, previous) ??
      immediate(linkConflict(this.#stored, next, previous, (link) => this.#linked(link, previous))) ??
      brokenRule(this.#rules.check, next, previous)
    )
  }

  #linked(link: AnyLink, record: Values): Counted {
    const counted = this.#prepared<Value>(`linked ${link.name}`, () => linkCountQuery(link, this.#noun))
    return [Number(counted.first(record[this.#noun.identity] as Value)?.[0])]
  }

  #update(values: Values, next: Values): RowOutcome {
    const fields = Object.keys(values)
    const update = this.#prepared<WriteInput>(`update ${fields.join()}`, () =>
      updateQuery(sqliteDialect, this.#stored, storedShape(this.#noun), fields),
    )
    try {
      update.first({ key: next[this.#noun.identity] as Value, values })
      return { kind: 'updated' }
    } catch (error) {
      const others = takenFields(this.#noun, error)
      if (others) return refusedRow(taken(others, next))
      throw error
    }
  }

  #record(identity: Value): Values | undefined {
    const query = this.#prepared<Value>('record', () => storedQuery(sqliteDialect, this.#noun))
    const row = query.first(identity)
    return row && (JSON.parse(row[0] as string) as Values)
  }

  #holder(set: readonly string[], values: Values): Value | undefined {
    if (!isTelling(set, values)) return undefined
    const query = this.#prepared<Values>(`holder ${set.join()}`, () => holderQuery(sqliteDialect, this.#noun, set))
    return query.first(values)?.[0] as Value | undefined
  }

  #exists(noun: AnyNoun, key: Value): boolean {
    return this.#prepared<Value>(`exists ${noun.name}`, () => existsQuery(noun)).first(key) !== undefined
  }

  #prepared<Input>(key: string, build: () => Sql): Statement<Input> {
    const known = this.#statements.get(key) ?? prepare<Input>(this.#database, build())
    this.#statements.set(key, known)
    return known
  }
}

/** What is not barred was tried, and something stood in its way. */
function barred({ isBarred, values }: BulkRow): RowOutcome {
  if (isBarred) return { kind: 'barred' }
  throw new Error(`The database takes a row for one that is there, and has no such record: ${JSON.stringify(values)}`)
}
