/**
 * Brings in the rows that waited for others of the same file. A row is written once all that it points at is there; one
 * that points at nothing is rejected, and so are those that wait for it. Rows that wait for each other are written with
 * one reference left open, which is set at the end.
 */
import type { Value } from '@nomen/core'
import type { BulkWriter, Pointer, RowOutcome } from '../store/bulk/bulk.ts'
import type { DeferredRows, WaitingRow } from '../store/bulk/deferred-rows.ts'
import type { BatchWriter, Entry } from './batch.ts'
import { rejectReason } from './reject-reason.ts'
import { isLoaded } from './track.ts'

const batchSize = 500

type Missing = Extract<RowOutcome, { readonly kind: 'waiting' }>['missing']

export interface SettleParts {
  readonly room: DeferredRows
  readonly writer: BulkWriter
  readonly batch: BatchWriter
  /** Reads a row again; undefined where it can no longer be read, and was rejected and removed. */
  readonly again: (row: WaitingRow) => Entry | undefined
  readonly name: string
  readonly identity: string
  /** The fields that point at records of the same noun. */
  readonly references: readonly { readonly field: string; readonly isNullable: boolean }[]
  /** Told after every batch; true where it should stop. */
  readonly isStopped: () => boolean
}

export async function resolveDeferred(parts: SettleParts): Promise<void> {
  await sortTargets(parts)
  while (parts.room.size > 0 && !parts.isStopped()) {
    const isMoving = (await writeReady(parts)) || rejectDoomed(parts)
    if (!isMoving) await breakCircle(parts)
  }
  await setPostponed(parts)
}

/** What is waited for has come since, or is waiting itself, or never comes. */
async function sortTargets({ room, writer }: SettleParts): Promise<void> {
  let targets = room.targets(undefined, batchSize)
  while (targets.length > 0) {
    const present = await writer.present(targets)
    for (const target of targets) {
      if (present.has(target)) room.arrive(target)
      else if (!room.isExpected(target)) room.giveUp(target)
    }
    targets = room.targets(targets.at(-1), batchSize)
  }
}

async function writeReady(parts: SettleParts): Promise<boolean> {
  const { room, batch, again } = parts
  const rows = room.some('ready', batchSize)
  if (rows.length === 0) return false
  const entries = rows.map(again).filter((entry) => entry !== undefined)
  const outcomes = entries.length > 0 ? await batch.write(entries) : []
  for (const [at, outcome] of outcomes.entries()) {
    const entry = entries[at] as Entry
    room.remove(entry.line)
    if (isLoaded(outcome)) room.arrive(ownIdentity(parts, entry))
    else room.giveUp(ownIdentity(parts, entry))
    // What it points at was there a moment ago, and someone has deleted it.
    if (outcome.kind === 'waiting') rejectMissing(parts, entry, outcome.missing)
  }
  return true
}

function rejectDoomed(parts: SettleParts): boolean {
  const { room, again } = parts
  const rows = room.some('doomed', batchSize)
  for (const row of rows) {
    const entry = again(row)
    if (!entry) continue
    room.giveUp(ownIdentity(parts, entry))
    rejectMissing(parts, entry, openReferences(parts, entry))
    room.remove(entry.line)
  }
  return rows.length > 0
}

/** The first of the rows that wait for each other is written without the references that it waits for. */
async function breakCircle(parts: SettleParts): Promise<void> {
  const { room, batch, again } = parts
  const [row] = room.some('circular', 1)
  const entry = row && again(row)
  if (!entry) return
  const open = openReferences(parts, entry)
  const own = ownIdentity(parts, entry)
  room.remove(entry.line)
  const fixed = open.find(({ isNullable }) => !isNullable)
  if (fixed) {
    room.giveUp(own)
    batch.reject(entry, `${fixed.field} ${fixed.value} waits for this record itself, and cannot be null.`)
    return
  }
  const cleared = Object.fromEntries(open.map(({ field }) => [field, null]))
  const values = { ...entry.row.values, ...cleared }
  const [outcome] = await batch.write([{ ...entry, row: { ...entry.row, values } }])
  if (!outcome || !isLoaded(outcome)) return room.giveUp(own)
  for (const { field } of open)
    room.postpone(entry.line, { identity: own, field, to: entry.row.values[field] as Value })
  room.arrive(own)
}

async function setPostponed({ room, writer, batch, name }: SettleParts): Promise<void> {
  let pointers = room.takePostponed(batchSize)
  while (pointers.length > 0) {
    const present = await writer.present(pointers.map(({ to }) => to))
    const set: Pointer[] = []
    for (const pointer of pointers) {
      const { line, field, to, identity } = pointer
      if (present.has(to)) set.push(pointer)
      else batch.reject({ line, text: '' }, `${field} ${to} does not exist: ${name} ${identity} was loaded without it.`)
    }
    await writer.point(set)
    pointers = room.takePostponed(batchSize)
  }
}

/** The references of a row that it still waits for. */
function openReferences({ room, references }: SettleParts, { line, row }: Entry) {
  const needs = new Set(room.needs(line))
  return references
    .map(({ field, isNullable }) => ({ field, isNullable, value: row.values[field] ?? null }))
    .filter(({ value }) => needs.has(value))
}

function rejectMissing({ batch, name }: SettleParts, entry: Entry, missing: Missing): void {
  batch.reject(entry, rejectReason(name, { reason: 'no-target', missing }))
}

function ownIdentity({ identity }: SettleParts, { row }: Entry): Value {
  return row.given.includes(identity) ? (row.values[identity] ?? null) : null
}
