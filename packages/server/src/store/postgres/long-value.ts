/** The rejection of a unique value that is too long for its index. */
import type { AnyNoun, Value } from '@nomen/core'
import { faultOf } from '../fault/fault.ts'
import type { NounSchema } from '../migrate/schema/schema.ts'
import type { Rejection } from '../outcome.ts'
import type { Values } from '../plan.ts'
import { fieldName } from '../stored-name.ts'

/** The maximum size of a unique value, limited by the size of an index entry. */
const maxUniqueBytes = 2600

/** Undefined if the error has another reason. */
export function longValueRejection(
  noun: AnyNoun,
  { unique }: NounSchema,
  error: unknown,
  record: Values,
): Rejection | undefined {
  if (faultOf(error) !== 'too-long') return undefined
  const fields = unique.flat().map((column) => fieldName(noun, column))
  const field = fields.find((name) => bytesIn(record[name]) > maxUniqueBytes)
  if (field === undefined) return undefined
  const detail = `${field} is too long: ${bytesIn(record[field])} bytes.`
  return { reason: 'rule', breach: { field, detail, hint: `A unique value can have at most ${maxUniqueBytes} bytes.` } }
}

function bytesIn(value: Value | undefined): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0
}
