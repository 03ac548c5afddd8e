/** What stands in the way of a write on SQLite: references to nothing, and links that would be left without reason. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import { mustBeSeen, noTarget, notShared, targetsIn, unsharedLinks } from '../../decision.ts'
import type { StoredNoun } from '../../model.ts'
import type { Refusal } from '../../outcome.ts'
import type { ChangePlan, CreatePlan, RowFilter, Values } from '../../plan.ts'
import { sightKey } from '../../sql/filter.ts'
import { existsQuery, linkCountQuery, type RecordInput, seenLinkCountQuery, seenQuery } from '../../sql/record-query.ts'
import type { Sql } from '../../sql/sql.ts'
import { sqliteDialect } from '../dialect.ts'
import type { Statement } from '../statement.ts'

/** A statement that is prepared once under its key. */
type Prepared = <Input>(key: string, build: () => Sql) => Statement<Input>

/** A record, and what the caller sees. */
type Seeing = Pick<RecordInput, 'key' | 'sight'>

export class SqliteReferenceCheck {
  readonly #prepared: Prepared

  constructor(prepared: Prepared) {
    this.#prepared = prepared
  }

  /** Whether a record is there, and seen. */
  isSeen(noun: AnyNoun, key: Value, sight: RowFilter | undefined): boolean {
    if (!sight?.[noun.name]) {
      return this.#prepared<Value>(`exists ${noun.name}`, () => existsQuery(noun)).first(key) !== undefined
    }
    const query = () => seenQuery(sqliteDialect, noun, sight)
    return this.#prepared<Seeing>(`seen ${noun.name}${sightKey(sight)}`, query).first({ key, sight }) !== undefined
  }

  missingTargets(
    { operation, values, sight }: CreatePlan | ChangePlan,
    previous: Values | undefined,
  ): Refusal | undefined {
    const { noun } = operation.shape
    return noTarget(
      targetsIn(noun, values).filter(
        (target) => !this.isSeen(target.noun, target.value, mustBeSeen(noun, target, previous) ? sight : undefined),
      ),
    )
  }

  /** Records that are linked because they share a reference must go on sharing it. */
  brokenSharing(stored: StoredNoun, next: Values, previous: Values, input: Seeing): Refusal | undefined {
    for (const link of unsharedLinks(stored, next, previous)) {
      const refusal = notShared(link, stored.noun, ...this.#linked(link, stored.noun, input))
      if (refusal) return refusal
    }
    return undefined
  }

  /** How many records a record is linked with, and how many of them are seen. */
  #linked(link: AnyLink, noun: AnyNoun, input: Seeing): readonly [number, number?] {
    const { key, sight } = input
    const name = `linked ${link.name} ${noun.name}`
    if (!sight) return [Number(this.#prepared<Value>(name, () => linkCountQuery(link, noun)).first(key)?.[0])]
    const query = () => seenLinkCountQuery(sqliteDialect, link, noun, sight)
    return this.#prepared<Seeing>(`${name}${sightKey(sight)}`, query).first(input) as readonly [number, number]
  }
}
