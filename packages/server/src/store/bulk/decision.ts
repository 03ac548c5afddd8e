/** Decides what to do with a row of a bulk load, for both databases. */
import { type AnyLink, type AnyNoun, specOf, targetOf, tenantField, type Value } from '@nomen/core'
import { uniqueSets } from '../migrate/schema/model-schema.ts'
import type { MissingTarget, Rejection } from '../outcome.ts'
import type { Assign, Values } from '../plan.ts'
import type { BulkRow, RowOutcome, WriteRules } from './bulk.ts'

/** Whether the row has the identity of its record. A generated guid does not count. */
export function isIdentified(noun: AnyNoun, { inputFields }: BulkRow): boolean {
  return inputFields.includes(noun.identity)
}

/** Whether the values of a unique set identify a row. Null values are never equal. */
export function hasUniqueKey(set: readonly string[], values: Values): boolean {
  return set.every((field) => (values[field] ?? null) !== null)
}

/**
 * The record of a row without an identity, or with a missing one: the record that has all of its unique values. A rejection
 * if other records have some of them. `holders` are the records with the values of each unique set.
 */
export function recordOfRow(
  noun: AnyNoun,
  row: BulkRow,
  uniqueMatches: readonly (Value | undefined)[],
): { readonly identity: Value } | Rejection | undefined {
  const sets = uniqueSets(noun)
  const existing = uniqueMatches.filter((holder) => holder !== undefined)
  const [firstMatch] = existing
  if (firstMatch === undefined) return undefined
  const isSame = existing.every((holder) => holder === firstMatch)
  const isComplete = sets.every((set, index) => uniqueMatches[index] !== undefined || !hasUniqueKey(set, row.values))
  if (isSame && isComplete && !isIdentified(noun, row)) return { identity: firstMatch }
  const fields = new Set(sets.filter((_, index) => uniqueMatches[index] !== undefined).flat())
  return { reason: 'taken', taken: [...fields].map((field) => ({ field, value: row.values[field] ?? null })) }
}

/** The fields of the file whose values differ from those of the record. */
function changedFields(noun: AnyNoun, { values, inputFields }: BulkRow, record: Values): readonly string[] {
  return inputFields.filter((field) => field !== noun.identity && values[field] !== record[field])
}

/** The new values of the record, including the managed fields of a change. */
function changeOf(noun: AnyNoun, { values, inputFields }: BulkRow, fields: readonly string[]): Values {
  const managedFields = Object.keys(noun.fields).filter((field) => {
    const { managed } = noun.fields[field].spec
    return (managed === 'updated-at' || managed === 'updated-by') && !inputFields.includes(field)
  })
  return Object.fromEntries([...fields, ...managedFields].map((field) => [field, values[field] as Value]))
}

/** The rejection of a row that would change a write-once field, or the tenant. */
function writeOnceRejection(noun: AnyNoun, fields: readonly string[], record: Values): Rejection | undefined {
  const field = fields.find((name) => {
    const { writeOnce, managed } = specOf(noun, name)
    return writeOnce || managed === 'tenant'
  })
  if (field === undefined) return undefined
  const detail = `"${field}" is ${JSON.stringify(record[field])} and cannot be changed.`
  return { reason: 'rule', breach: { field, detail } }
}

/** The values of a change with assigned values, except for fields in the file. */
function withAssigned(change: Values, row: BulkRow, record: Values, assign: Assign | undefined): Values {
  return assign ? { ...change, ...withoutInputFields(row, assign({ ...record, ...change }, record)) } : change
}

/** Assigned values without those of fields in the file. */
export function withoutInputFields(
  { inputFields, values }: Pick<BulkRow, 'inputFields' | 'values'>,
  assigned: Values,
): Values {
  const isAssignable = (field: string) => !inputFields.includes(field) || values[field] === undefined
  return Object.fromEntries(Object.entries(assigned).filter(([field]) => isAssignable(field)))
}

/** The invalid references of a row whose record exists. */
interface InvalidReferences {
  /** References in these values to missing records. */
  missing(values: Values): readonly MissingTarget[]
  /** References in the file to records of another tenant, also unchanged ones. */
  otherTenants(): readonly TenantTarget[]
}

/** The new values of an existing record, before its rules are checked; or its outcome, if nothing needs to be written. */
export function decideUpdate(
  noun: AnyNoun,
  row: BulkRow,
  record: Values,
  { isUpdating, assign }: WriteRules,
  references: InvalidReferences,
): { readonly values: Values } | RowOutcome {
  const fields = changedFields(noun, row, record)
  if (!isUpdating) return { kind: 'unchanged', isDifferent: fields.length > 0 }
  const rejection = writeOnceRejection(noun, fields, record)
  if (rejection) return rejectedRow(rejection)
  const otherTenants = references.otherTenants()
  if (fields.length === 0 && otherTenants.length === 0) return { kind: 'unchanged', isDifferent: false }
  const values = withAssigned(changeOf(noun, row, fields), row, record, assign)
  const invalid = [...references.missing(values), ...otherTenants]
  return invalid.length > 0 ? missingTargets(noun, invalid, record) : { values }
}

/** A reference to an existing record, and the tenant of that record. */
export interface TenantTarget {
  readonly field: string
  readonly value: Value
  readonly tenant: Value
}

/** The fields that reference records of a tenant. A noun that all tenants share has none. */
export function tenantReferences(noun: AnyNoun): readonly string[] {
  const isOfTenant = (field: string) =>
    specOf(noun, field).kind === 'reference' && tenantField(targetOf(noun, field)) !== undefined
  return tenantField(noun) === undefined ? [] : Object.keys(noun.fields).filter(isOfTenant)
}

/** Whether linked records must have the same tenant. They need not if all tenants share one of the nouns. */
export function isWithinTenant({ nouns }: AnyLink): boolean {
  return nouns.every((noun) => tenantField(noun) !== undefined)
}

/** The tenant of a record or a new row; null if all tenants share the noun. */
export function tenantOfRecord(noun: AnyNoun, values: Values): Value {
  const field = tenantField(noun)
  return field === undefined ? null : (values[field] ?? null)
}

/**
 * A missing record of the row's own noun may come later in the file; other nouns are not loaded. `record` is the existing
 * record, or the new row.
 */
export function missingTargets(noun: AnyNoun, missing: readonly MissingTarget[], record: Values): RowOutcome {
  const unresolvable = missing.filter(({ field, tenant }) => tenant !== undefined || targetOf(noun, field) !== noun)
  return unresolvable.length > 0
    ? rejectedRow({ reason: 'no-target', missing: unresolvable })
    : { kind: 'waiting', missing, tenant: tenantOfRecord(noun, record) }
}

export function rejectedRow(rejection: Rejection): RowOutcome {
  return { kind: 'rejected', rejection }
}
