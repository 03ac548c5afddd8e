/** Random conditions on the records of a world, and a second, simple evaluation of them. */
import { type AnyLink, type AnyNoun, type FieldSpec, specOf, targetOf, type Value } from '@nomen/core'
import { atLeast, before, between, linked, referencedBy } from '@nomen/server'
import { Bounds } from '../../src/define/bounds.ts'
import { Related } from '../../src/define/condition.ts'
import type { Row, World } from './world.ts'

/** Numbers below a limit, the same for the same seed. */
export type Random = (limit: number) => number

export function randomOf(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) % limit
  }
}

/** One set of fields, or several alternatives. Relations lead as many levels deep as `depth` says. */
export function randomCondition(world: World, random: Random, noun: AnyNoun, depth: number): unknown {
  const fields = () => randomFields(world, random, noun, depth)
  return random(3) === 0 ? [fields(), fields()] : fields()
}

function randomFields(world: World, random: Random, noun: AnyNoun, depth: number): Record<string, unknown> {
  const changing = ['created-by', 'updated-by', 'updated-at']
  const all = Object.keys(noun.fields).filter((field) => !changing.includes(`${specOf(noun, field).managed}`))
  const condition: Record<string, unknown> = {}
  for (let left = 1 + random(2); left > 0; left--) {
    const field = pick(random, all)
    condition[field] = randomValue(world, random, noun, field, depth)
  }
  return condition
}

function randomValue(world: World, random: Random, noun: AnyNoun, field: string, depth: number): unknown {
  const spec: FieldSpec = specOf(noun, field)
  const value = () => pick(random, world.rows(noun.name))[field] ?? null
  const isLeading = spec.kind === 'reference' || field === noun.identity
  if (isLeading && depth > 0 && random(4) > 0) return randomRelation(world, random, noun, field, depth - 1)
  const [first, second] = [value(), value()]
  const isOrdered = ['integer', 'number', 'date', 'timestamp'].includes(spec.kind)
  if (isOrdered && first !== null && second !== null && random(2) === 0)
    return pick(random, [atLeast(first), before(first), between(first, second)])
  return random(2) === 0 ? [first, second] : first
}

function randomRelation(world: World, random: Random, noun: AnyNoun, field: string, depth: number): unknown {
  const isReference = specOf(noun, field).kind === 'reference'
  const near = isReference ? targetOf(noun, field) : noun
  const ways: (() => unknown)[] = []
  if (isReference) ways.push(() => randomFields(world, random, near, depth))
  for (const link of world.links()) {
    const far: AnyNoun | undefined = link.nouns.includes(near) ? link.nouns.find((noun) => noun !== near) : undefined
    if (far) ways.push(() => linked(link, far, randomCondition(world, random, far, depth) as object))
  }
  for (const other of world.nouns()) {
    for (const name of Object.keys(other.fields)) {
      if (specOf(other, name).kind !== 'reference' || targetOf(other, name) !== near) continue
      ways.push(() => referencedBy(other, name, randomCondition(world, random, other, depth) as object))
    }
  }
  const way = ways.length > 0 ? pick(random, ways)() : (pick(random, world.rows(noun.name))[field] ?? null)
  return random(3) === 0 && specOf(noun, field).nullable ? [way, null] : way
}

function pick<One>(random: Random, all: readonly One[]): One {
  return all[random(all.length)] as One
}

/** Whether a record satisfies a condition, read by hand. */
export function satisfies(world: World, noun: AnyNoun, condition: unknown, row: Row): boolean {
  if (typeof condition === 'boolean') return condition
  if (Array.isArray(condition)) return condition.some((part) => satisfies(world, noun, part, row))
  return Object.entries(condition as object).every(([field, expected]) => isWanted(world, noun, field, expected, row))
}

function isWanted(world: World, noun: AnyNoun, field: string, expected: unknown, row: Row): boolean {
  const value = row[field] ?? null
  if (Array.isArray(expected)) return expected.some((value) => isWanted(world, noun, field, value, row))
  if (expected instanceof Bounds) return isBetween(value, expected)
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (value === null) return false
  const near = specOf(noun, field).kind === 'reference' ? targetOf(noun, field) : noun
  if (expected instanceof Related) return isRelated(world, near, value, expected)
  const target = world.row(near.name, value)
  return target !== undefined && satisfies(world, near, expected, target)
}

function isBetween(value: Value, { from, to }: Bounds<unknown>): boolean {
  if (value === null) return false
  return (from === undefined || value >= (from as Value & {})) && (to === undefined || value < (to as Value & {}))
}

function isRelated(world: World, near: AnyNoun, key: Value, { noun, by, where }: Related): boolean {
  const fits = (row: Row | undefined) => row !== undefined && satisfies(world, noun, where, row)
  if (typeof by === 'string') return world.rows(noun.name).some((row) => row[by] === key && fits(row))
  const side = (by as AnyLink).nouns[0].name === near.name ? 0 : 1
  const others = world.pairs(by.name).filter((pair) => pair[side] === key)
  return others.some((pair) => fits(world.row(noun.name, pair[1 - side] as Value)))
}
