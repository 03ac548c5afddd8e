/** What the model remembers: every record in a plain array, every link as a pair. */
import type { Value } from './value.ts'

export type NounName = 'user' | 'department' | 'preference' | 'application' | 'role' | 'action'

/** A stored record. `version` is the model's own: it rises with every change. */
export interface Row {
  version: number
  [field: string]: Value
}

export type Pair = readonly [number, number]

export interface World {
  rows: Record<NounName, Row[]>
  userRole: Pair[]
  roleAction: Pair[]
  /** Identities of records that are no more. */
  gone: Record<NounName, number[]>
  /** The highest identity ever given. */
  highest: Record<NounName, number>
}

const identities: Record<NounName, string> = {
  user: 'id',
  department: 'id',
  preference: 'id',
  application: 'applicationRef',
  role: 'roleRef',
  action: 'actionRef',
}

export function identityOf(noun: NounName, row: Row): number {
  return Number(row[identities[noun]])
}

export function find(world: World, noun: NounName, id: Value | undefined): Row | undefined {
  return world.rows[noun].find((row) => identityOf(noun, row) === id)
}

export function isLinked(pairs: readonly Pair[], left: number, right: number): boolean {
  return pairs.some(([a, b]) => a === left && b === right)
}

/** Rows and pairs as the sample gives them. */
type Part =
  | { noun: string; rows: Iterable<Record<string, unknown>> }
  | { link: [string, string]; rows: Iterable<[number, number]> }

export function worldOf(parts: readonly Part[]): World {
  const world: World = {
    rows: { user: [], department: [], preference: [], application: [], role: [], action: [] },
    userRole: [],
    roleAction: [],
    gone: { user: [], department: [], preference: [], application: [], role: [], action: [] },
    highest: { user: 0, department: 0, preference: 0, application: 0, role: 0, action: 0 },
  }
  for (const part of parts) {
    if ('link' in part) world[part.link[0] === 'user' ? 'userRole' : 'roleAction'].push(...part.rows)
    else
      for (const row of part.rows) add(world, part.noun as NounName, { ...(row as Omit<Row, 'version'>), version: 1 })
  }
  return world
}

export function add(world: World, noun: NounName, row: Row): void {
  world.rows[noun].push(row)
  world.highest[noun] = Math.max(world.highest[noun], identityOf(noun, row))
}

export function remove(world: World, noun: NounName, row: Row): void {
  world.rows[noun] = world.rows[noun].filter((other) => other !== row)
  world.gone[noun].push(identityOf(noun, row))
}
