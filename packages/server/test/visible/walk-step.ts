/** The paths that a walk requests, and the expectations that all walks share. */
import type { Operation, Property, Value } from '@nomen/core'
import type { Caller } from '@nomen/server'
import { expect } from 'vitest'
import type { CallerClient, CallerResponse, Request } from './caller-client.ts'
import type { Eye, Row, World } from './world.ts'

export interface Walk {
  readonly client: CallerClient
  readonly world: World
  readonly caller: Caller
  readonly eye: Eye
  readonly operation: Operation
}

/** How often a record was visible or hidden: a walk that meets only one of the two cases proves nothing. */
export interface Met {
  visible: number
  hidden: number
}

/** An identity that no record has. */
const nobody = 999_999
const everything: Eye = () => true

export async function isMissing(walk: Walk, keys: readonly Value[], request: Request, met: Met): Promise<boolean> {
  const { world, eye, operation, client, caller } = walk
  const level = world.missing(eye, operation, keys)
  if (level === undefined) return false
  const { name } = operation.levels[level]?.resource.noun ?? {}
  const { status, body } = await client.send(caller, request)
  const above = keys.slice(0, level).map((key, at) => ` of ${operation.levels[at]?.resource.noun.name} ${key}`)
  const detail = `There is no ${name} ${keys[level]}${above.reverse().join('')}.`
  expect([status, body.code, body.detail], `${request.method} ${request.url}`).toEqual([
    404,
    'record-not-found',
    detail,
  ])
  if (world.missing(everything, operation, keys) === undefined) met.hidden++
  return true
}

export function expectRecord({ world, eye, operation }: Walk, row: Row, { status, body, text }: CallerResponse): void {
  expect(status, text).toBe(200)
  const { properties } = operation.shape
  expect(comparableRecord(body, properties)).toEqual(world.shown(eye, row, properties))
}

export function comparableRecord(
  record: Record<string, Value>,
  properties: readonly Property[],
): Record<string, Value | undefined> {
  const shown = properties.filter(({ spec }) => spec.managed === undefined || spec.managed === 'identity')
  expect(Object.keys(record)).toEqual(properties.map(({ name }) => name))
  return Object.fromEntries(shown.map(({ name }) => [name, record[name]]))
}

export function* pathsTo(walk: Walk, length: number, above: readonly Value[] = []): Generator<readonly Value[]> {
  if (above.length === length) return yield above
  for (const key of picks(walk, above)) yield* pathsTo(walk, length, [...above, key])
}

function picks({ world, eye, operation }: Walk, above: readonly Value[]): readonly Value[] {
  const { resource, relations } = operation.levels[above.length] as Operation['levels'][number]
  const noun = resource.noun
  const rows = world.rows(noun.name)
  const isRelated = (row: Row) => world.isBelow(everything, relations, row, above)
  const key = (row: Row) => row[noun.identity] as Value
  // Below what is missing, one that belongs there is as good as another.
  if (world.missing(eye, operation, above) !== undefined) return [key(rows.find(isRelated) ?? (rows[0] as Row))]
  const classes = Map.groupBy(rows, (row) =>
    [eye(noun.name, row), isRelated(row), world.isBelow(eye, relations, row, above)].join(),
  )
  return [...[...classes.values()].flatMap((some) => some.slice(0, 2)).map(key), nobody]
}

export function urlOf({ path }: Operation, keys: readonly Value[]): string {
  let at = 0
  return path.replace(/\{[^}]*\}/g, () => `${keys[at++]}`)
}
