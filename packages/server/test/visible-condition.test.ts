// Random visibility conditions, compared with a second evaluation of the same conditions, in every operation.
import type { AnyNoun } from '@nomen/core'
import { access, action, application, department, directoryService, role, user } from '@nomen/directory'
import { service } from '@nomen/server'
import { describe, expect } from 'vitest'
import { callerOf } from './visible/caller-client.ts'
import { type Random, randomCondition, randomOf, satisfies } from './visible/random-condition.ts'
import { testEachOperation } from './visible/walk.ts'
import { directoryWithoutWebhooks } from './visible/without-webhooks.ts'
import { type Eye, type Row, World } from './visible/world.ts'

const { rules = [], sample } = directoryService({ users: 20 })
const definition = { name: 'directory', apis: [directoryWithoutWebhooks, access], rules, ...(sample && { sample }) }
const { operations } = service(definition)
const nouns: readonly AnyNoun[] = [user, department, application, role, action]

/** A condition that some records satisfy and others do not. */
function conditionOn(world: World, random: Random, noun: AnyNoun): unknown {
  const rows = world.rows(noun.name)
  for (let attempt = 0; attempt < 1000; attempt++) {
    const condition = randomCondition(world, random, noun, 2)
    const count = rows.filter((row) => satisfies(world, noun, condition, row)).length
    if (count * 4 >= rows.length && count < rows.length) return condition
  }
  throw new Error(`No condition lets a part of the ${noun.name} records through.`)
}

describe.each([1, 2, 3, 4])('a caller with random visibility conditions (%i)', (seed) => {
  const world = new World(operations, sample?.() ?? [])
  const random = randomOf(seed)
  const conditions = new Map(nouns.map((noun) => [noun.name as string, conditionOn(world, random, noun)]))
  const narrowed = service({
    ...definition,
    visibility: nouns.map((noun) => ({ noun, filter: () => conditions.get(noun.name) })),
  })
  const eye: Eye = (name, row) => {
    // Everyone sees the shared views.
    if (name === 'saved-view') return true
    if (name !== 'preference') return satisfies(world, world.noun(name), conditions.get(name), row)
    const owner = world.row('user', row.user ?? null)
    return owner !== undefined && eye('user', owner as Row)
  }
  const caller = callerOf('bob')

  testEachOperation(narrowed, { world, caller, eye }, ({ visible, hidden }) => {
    expect(visible + hidden).toBeGreaterThan(0)
  })
})
