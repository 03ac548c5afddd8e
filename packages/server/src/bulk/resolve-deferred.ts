/**
 * Writes deferred rows, which wait for other rows of the same file. A row is written once all rows that it references exist. A
 * row whose references never exist is rejected, and so are the rows that wait for it. Of rows that wait for each other, one is
 * written without its reference, which is set at the end.
 */
import type { Value } from '@nomen/core'
import type { BulkWriter, DeferredReference } from '../store/bulk/bulk.ts'
import type { DeferredRows, WaitingRow } from '../store/bulk/deferred-rows.ts'
import type { MissingTarget } from '../store/outcome.ts'
import type { BatchWriter, Entry } from './batch.ts'
import { isLoaded } from './load-tracker.ts'
import { missingDetail, rejectReason } from './reject-reason.ts'

const rowsPerQuery = 500

export interface ResolveDependencies {
  readonly deferred: DeferredRows
  readonly writer: BulkWriter
  readonly batchWriter: BatchWriter
  /** Reads a row again; undefined if it is no longer valid, and was rejected and removed. */
  readonly readAgain: (row: WaitingRow) => Entry | undefined
  readonly name: string
  readonly identity: string
  /** The fields that reference records of the same noun. */
  readonly references: readonly { readonly field: string; readonly isNullable: boolean }[]
  /** Called after every batch; true if the load should stop. */
  readonly isStopped: () => boolean
}

export async function resolveDeferred(dependencies: ResolveDependencies): Promise<void> {
  await checkTargets(dependencies)
  // The next run would leave a record of a cycle without its reference, because the record exists.
  let isBreakingCycles = false
  while (dependencies.deferred.size > 0 && (!dependencies.isStopped() || isBreakingCycles)) {
    const hasProgress = (await writeReady(dependencies)) || rejectUnresolvable(dependencies)
    isBreakingCycles ||= !hasProgress
    if (!hasProgress) await breakCycle(dependencies)
  }
  await setPostponedReferences(dependencies)
}

/**
 * Checks which awaited records exist by now, and gives up those that are neither stored nor deferred. Rows that wait for a
 * record of another tenant are rejected.
 */
async function checkTargets(dependencies: ResolveDependencies): Promise<void> {
  const { deferred, writer } = dependencies
  let targets = deferred.targets(undefined, rowsPerQuery)
  while (targets.length > 0) {
    const tenantsByIdentity = await writer.tenantsOfExisting(targets)
    for (const target of targets) {
      const stored = tenantsByIdentity.get(target)
      const tenants = stored === undefined ? deferred.tenantsOf(target) : [stored]
      const [tenant] = tenants
      if (tenant === undefined) deferred.markUnresolvable(target)
      else if (tenants.length === 1 && tenant !== null) rejectOtherTenants(dependencies, target, tenant)
      if (stored !== undefined) deferred.markLoaded(target)
    }
    targets = deferred.targets(targets.at(-1), rowsPerQuery)
  }
}

function rejectOtherTenants(dependencies: ResolveDependencies, target: Value, tenant: Value): void {
  const { deferred, readAgain } = dependencies
  const nextRows = () => deferred.rowsOfOtherTenants(target, tenant, rowsPerQuery)
  for (let rows = nextRows(); rows.length > 0; rows = nextRows())
    for (const row of rows) {
      const entry = readAgain(row)
      if (!entry) continue
      const fields = openReferences(dependencies, entry).filter(({ value }) => value === target)
      rejectMissing(
        dependencies,
        entry,
        fields.map(({ field, value }) => ({ field, value, tenant })),
      )
      deferred.markUnresolvable(identityInFile(dependencies, entry))
      deferred.remove(entry.line)
    }
}

async function writeReady(dependencies: ResolveDependencies): Promise<boolean> {
  const { deferred, batchWriter, readAgain } = dependencies
  const rows = deferred.rowsIn('ready', rowsPerQuery)
  if (rows.length === 0) return false
  const entries = rows.map(readAgain).filter((entry) => entry !== undefined)
  const outcomes = entries.length > 0 ? await batchWriter.write(entries) : []
  for (const [index, outcome] of outcomes.entries()) {
    const entry = entries[index] as Entry
    deferred.remove(entry.line)
    if (isLoaded(outcome)) deferred.markLoaded(identityInFile(dependencies, entry))
    else deferred.markUnresolvable(identityInFile(dependencies, entry))
    // The referenced record was deleted a moment ago.
    if (outcome.kind === 'waiting') rejectMissing(dependencies, entry, outcome.missing)
  }
  return true
}

function rejectUnresolvable(dependencies: ResolveDependencies): boolean {
  const { deferred, readAgain } = dependencies
  const rows = deferred.rowsIn('unresolvable', rowsPerQuery)
  for (const row of rows) {
    const entry = readAgain(row)
    if (!entry) continue
    deferred.markUnresolvable(identityInFile(dependencies, entry))
    rejectMissing(dependencies, entry, openReferences(dependencies, entry))
    deferred.remove(entry.line)
  }
  return rows.length > 0
}

/** Writes the first of the rows that wait for each other without the references that it waits for. */
async function breakCycle(dependencies: ResolveDependencies): Promise<void> {
  const { deferred, batchWriter, readAgain } = dependencies
  const [row] = deferred.rowsIn('circular', 1)
  const entry = row && readAgain(row)
  if (!entry) return
  const openFields = openReferences(dependencies, entry)
  const identity = identityInFile(dependencies, entry)
  deferred.remove(entry.line)
  const required = openFields.find(({ isNullable }) => !isNullable)
  if (required) {
    deferred.markUnresolvable(identity)
    batchWriter.reject(
      entry,
      `${required.field} ${required.value} depends on this record itself, and ${required.field} cannot be null.`,
    )
    return
  }
  const clearedValues = Object.fromEntries(openFields.map(({ field }) => [field, null]))
  const values = { ...entry.row.values, ...clearedValues }
  const [outcome] = await batchWriter.write([{ ...entry, row: { ...entry.row, values } }])
  if (!outcome || !isLoaded(outcome)) return deferred.markUnresolvable(identity)
  for (const { field } of openFields)
    deferred.postpone(entry.line, { identity, field, to: entry.row.values[field] as Value })
  deferred.markLoaded(identity)
}

async function setPostponedReferences({ deferred, writer, batchWriter, name }: ResolveDependencies): Promise<void> {
  let references = deferred.takePostponed(rowsPerQuery)
  while (references.length > 0) {
    const tenantsByIdentity = await writer.tenantsOfExisting(references.flatMap(({ identity, to }) => [identity, to]))
    const resolvable: DeferredReference[] = []
    for (const pointer of references) {
      const { line, field, to, identity } = pointer
      const tenant = tenantsByIdentity.get(to)
      // A record that was deleted meanwhile has no reference to set.
      const isSameTenant = !tenantsByIdentity.has(identity) || tenantsByIdentity.get(identity) === tenant
      if (tenant !== undefined && isSameTenant) resolvable.push(pointer)
      else {
        const detail = missingDetail({ field, value: to, ...(tenant !== undefined && { tenant }) })
        batchWriter.reject({ line, text: '' }, `${detail}: ${name} ${identity} was loaded without it.`)
      }
    }
    await writer.setReferences(resolvable)
    references = deferred.takePostponed(rowsPerQuery)
  }
}

/** The references of a row that it still waits for. */
function openReferences({ deferred, references }: ResolveDependencies, { line, row }: Entry) {
  const needs = new Set(deferred.needs(line))
  return references
    .map(({ field, isNullable }) => ({ field, isNullable, value: row.values[field] ?? null }))
    .filter(({ value }) => needs.has(value))
}

function rejectMissing(
  { batchWriter, name }: ResolveDependencies,
  entry: Entry,
  missing: readonly MissingTarget[],
): void {
  batchWriter.reject(entry, rejectReason(name, { reason: 'no-target', missing }))
}

function identityInFile({ identity }: ResolveDependencies, { row }: Entry): Value {
  return row.inputFields.includes(identity) ? (row.values[identity] ?? null) : null
}
