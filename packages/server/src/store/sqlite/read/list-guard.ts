/** Conditions of lists that check the time limit of their statement, and the length of searched strings. */
import { type AnyNoun, specOf } from '@nomen/core'
import type { Condition, ListPlan } from '../../plan.ts'
import { foldedColumn } from '../../sql/fragment.ts'
import type { Guard } from '../../sql/list/options.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { longStringBytes } from './statement-clock.ts'

/**
 * Only some records check the clock. They are chosen at random, so that a client cannot create records that avoid the check. A
 * prime number is unrelated to patterns in identities.
 */
const smallPrimes = [17, 19, 23, 29]
const prime = smallPrimes[Math.floor(Math.random() * smallPrimes.length)] as number
const residue = Math.floor(Math.random() * prime)

/** Without a search, comparing a record takes well below a microsecond, so fewer records check. */
const quickPrime = 251
const quickResidue = Math.floor(Math.random() * quickPrime)

/** Records that are written as JSON may have a megabyte each, so more records check. */
const jsonPrime = 7
const jsonResidue = Math.floor(Math.random() * jsonPrime)

/** The maximum size of a character after folding. */
const bytesPerCharacter = 12

interface GuardOptions {
  /** Whether only a known, small number of records is read. */
  readonly isBounded: boolean
  /** Whether the statement must check by itself that it searches no long string. */
  readonly isMeasuring: boolean
}

/** Conditions that are always true, and stop the statement of a list after its deadline. */
export function guardOf({ operation, conditions }: ListPlan, { isBounded, isMeasuring }: GuardOptions): Guard {
  const { noun } = operation.shape
  const isGuid = noun.fields[noun.identity].spec.guid === true
  const searched = conditions.filter((condition) => condition.kind === 'search')
  const terms = Math.max(1, ...searched.map((condition) => condition.terms.length))
  const timeCheck = (identity: Sql, divisor: number, remainder: number) => {
    if (divisor <= 1) return sql`in_time()`
    // One hexadecimal digit of a guid matches one in 16, two match one in 256.
    const digits = divisor === quickPrime ? 2 : 1
    const isSkipped = isGuid
      ? sql`substr(${identity}, 3, ${sql.lit(digits)}) <> ${sql.lit((remainder % 16).toString(16).repeat(digits))}`
      : sql`${identity} % ${sql.lit(divisor)} <> ${sql.lit(remainder)}`
    return sql`(${isSkipped} or in_time())`
  }
  return {
    ...(!isBounded && {
      // The more comparisons per record, the more records check.
      check: (identity: Sql) => {
        if (searched.length === 0) return timeCheck(identity, quickPrime, quickResidue)
        return terms > 3 ? timeCheck(identity, isGuid ? 1 : 2, residue % 2) : timeCheck(identity, prime, residue)
      },
    }),
    show: (identity: Sql) => timeCheck(identity, jsonPrime, jsonResidue),
    shortTexts: isMeasuring ? searched.flatMap((condition) => shortStringChecks(noun, condition)) : [],
  }
}

/** Conditions that none of the searched strings of a record is long. */
function shortStringChecks(noun: AnyNoun, { fields }: Condition): readonly Sql[] {
  const isLongPossible = (field: string) =>
    (specOf(noun, field).maxLength ?? longStringBytes) * bytesPerCharacter >= longStringBytes
  return fields.filter(isLongPossible).map((field) => {
    const length = sql`coalesce(octet_length(${foldedColumn(noun, field)}), 0)`
    return sql`(${length} < ${sql.lit(longStringBytes)} or is_short())`
  })
}
