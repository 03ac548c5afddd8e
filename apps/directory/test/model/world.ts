/** The state of the model: every record in an array, every link as a pair. */
import type { Value } from './value.ts'

export type NounName = 'user' | 'department' | 'preference' | 'application' | 'role' | 'action'

/** A stored record. `version` belongs to the model: it increases with every change. */
export interface Row {
  version: number
  [field: string]: Value
}

export type Pair = readonly [number, number]

export interface World {
  rows: Record<NounName, Row[]>
  userRole: Pair[]
  roleAction: Pair[]
  /** The IDs of deleted records. */
  deletedIds: Record<NounName, number[]>
  /** The highest ID that was ever assigned. */
  highestIds: Record<NounName, number>
}

const identityFields: Record<NounName, string> = {
  user: 'id',
  department: 'id',
  preference: 'id',
  application: 'applicationRef',
  role: 'roleRef',
  action: 'actionRef',
}

export function identityOf(noun: NounName, row: Row): number {
  return Number(row[identityFields[noun]])
}

export function findRow(world: World, noun: NounName, id: Value | undefined): Row | undefined {
  return world.rows[noun].find((row) => identityOf(noun, row) === id)
}

export function isLinked(pairs: readonly Pair[], left: number, right: number): boolean {
  return pairs.some(([a, b]) => a === left && b === right)
}

/** Rows and links of the sample. */
type Part =
  | { noun: string; rows: Iterable<Record<string, unknown>> }
  | { link: [string, string]; rows: Iterable<[number, number]> }

export function worldOf(parts: readonly Part[]): World {
  const world: World = {
    rows: { user: [], department: [], preference: [], application: [], role: [], action: [] },
    userRole: [],
    roleAction: [],
    deletedIds: { user: [], department: [], preference: [], application: [], role: [], action: [] },
    highestIds: { user: 0, department: 0, preference: 0, application: 0, role: 0, action: 0 },
  }
  for (const part of parts) {
    if ('link' in part) world[part.link[0] === 'user' ? 'userRole' : 'roleAction'].push(...part.rows)
    // The shared views of the console are not modeled.
    else if (part.noun in world.rows)
      for (const row of part.rows)
        addRow(world, part.noun as NounName, { ...(row as Omit<Row, 'version'>), version: 1 })
  }
  return world
}

export function addRow(world: World, noun: NounName, row: Row): void {
  world.rows[noun].push(row)
  world.highestIds[noun] = Math.max(world.highestIds[noun], identityOf(noun, row))
}

export function removeRow(world: World, noun: NounName, row: Row): void {
  world.rows[noun] = world.rows[noun].filter((otherRow) => otherRow !== row)
  world.deletedIds[noun].push(identityOf(noun, row))
}
