/** Walks of writes: creating, changing, deleting and linking records. */
import { type Operation, specOf, type Value } from '@nomen/core'
import { expect } from 'vitest'
import { expectRecord, isMissing, type Met, pathsTo, urlOf, type Walk } from './walk-step.ts'
import type { Row } from './world.ts'

let created = 0

export async function walkCreate(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, client, caller } = walk
  const { noun } = operation.shape
  for (const ancestors of pathsTo(walk, operation.levels.length - 1)) {
    for (const sample of samples(walk)) {
      const { [noun.identity]: _, ...like } = sample
      const next = {
        ...like,
        ...freshValues(operation, sample),
        ...unsent(operation),
        ...fromPath(operation, ancestors),
      }
      const request = { method: 'POST', url: urlOf(operation, ancestors), body: bodyOf(operation, next) }
      if (await isMissing(walk, ancestors, request, met)) continue
      const response = await client.send(caller, request)
      const rejection = rejectionOf(walk, next)
      met[rejection ? 'hidden' : 'visible']++
      if (rejection) expect([response.status, response.body.code], response.text).toEqual(rejection)
      else {
        expect(response.status, response.text).toBe(201)
        world.put(noun.name, { ...next, [noun.identity]: response.body[idName(operation)] })
      }
    }
  }
  if (world.rows(noun.name).every((row) => eye(noun.name, row))) met.hidden++
}

function rejectionOf({ world, eye, operation }: Walk, next: Row, previous?: Row): [number, string] | undefined {
  const { name } = operation.shape.noun
  if (!world.isPointingAtVisible(eye, name, next, previous)) return [422, 'reference-not-found']
  return eye(name, next) ? undefined : [403, 'out-of-sight']
}

export async function walkChange(walk: Walk, met: Met): Promise<void> {
  const { operation, world, client, caller } = walk
  const { name } = operation.shape.noun
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const row = world.row(name, keys.at(-1) as Value)
    const request = { method: operation.method, url: urlOf(operation, keys), body: row ? bodyOf(operation, row) : {} }
    // A hidden record is missing, whether the ETag is right or wrong.
    const conditional = { ...request, headers: { 'if-match': '"x"' } }
    if (row && (await isMissing(walk, keys, conditional, met))) continue
    if (!row) continue
    expect((await client.send(caller, conditional)).status, request.url).toBe(412)
    // A record can be sent back as it was read, whatever it refers to.
    expectRecord(walk, row, await client.send(caller, request))
    met.visible++
    for (const next of movedOut(walk, row)) {
      const rejection = rejectionOf(walk, next, row)
      const response = await client.send(caller, { ...request, body: bodyOf(operation, next) })
      expect([response.status, response.body.code], `${request.url} ${response.text}`).toEqual(rejection)
      expectRecord(walk, row, await client.send(caller, { ...request, body: bodyOf(operation, row) }))
      met.hidden++
    }
  }
}

function movedOut(walk: Walk, row: Row): readonly Row[] {
  const { world, operation } = walk
  const { name } = operation.shape.noun
  const properties = operation.body?.properties ?? []
  const others = world.rows(name)
  return properties.flatMap(({ field, spec }) => {
    if (spec.unique || isShared(walk, row, field)) return []
    const next = others.map((other) => ({ ...row, [field]: other[field] ?? null }))
    return next.filter((candidate) => rejectionOf(walk, candidate, row) !== undefined).slice(0, 2)
  })
}

function isShared({ world, operation }: Walk, row: Row, field: string): boolean {
  const { name, identity } = operation.shape.noun
  return world
    .links()
    .filter(({ sharing, nouns }) => sharing === field && nouns.some((noun) => noun.name === name))
    .some(({ name: link, nouns }) => {
      const side = nouns[0].name === name ? 0 : 1
      return world.pairs(link).some((pair) => pair[side] === row[identity])
    })
}

export async function walkDelete(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, client, caller } = walk
  const { name } = operation.shape.noun
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const key = keys.at(-1) as Value
    const row = world.row(name, key)
    const request = { method: 'DELETE', url: urlOf(operation, keys), headers: { 'if-match': '"x"' } }
    if (await isMissing(walk, keys, request, met)) continue
    const response = await client.send(caller, { ...request, headers: {} })
    const others = world.inTheWay(name, key)
    const [first] = others.filter((other) => eye(other.noun, other.row))
    const count = others.filter((other) => other.noun === first?.noun && eye(other.noun, other.row)).length
    if (others.length === 0) {
      expectRecord(walk, row as Row, response)
      world.remove(name, key)
      met.visible++
    } else if (first) {
      expect([response.status, response.body.detail], request.url).toEqual([
        409,
        expect.stringMatching(`^${count} ${first.noun} record`),
      ])
      met.visible++
    } else {
      expect([response.status, response.body.detail], request.url).toEqual([
        409,
        `Records that you cannot see reference this ${name}.`,
      ])
      met.hidden++
    }
  }
}

export async function walkLink(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, client, caller } = walk
  const { kind, levels, link } = operation
  const [far, near] = [levels.at(-1)?.resource.noun, levels.at(-2)?.resource.noun]
  for (const keys of pathsTo(walk, levels.length)) {
    const request = { method: operation.method, url: urlOf(operation, keys) }
    const row = world.row(far.name, keys.at(-1) as Value)
    // To be linked, a record need not be related to those above it yet.
    const isThere = row && eye(far.name, row) && world.missing(eye, operation, keys.slice(0, -1)) === undefined
    if (kind === 'unlink' || !isThere) {
      if (await isMissing(walk, keys, request, met)) continue
    }
    const response = await client.send(caller, request)
    const parent = world.row(near.name, keys.at(-2) as Value) as Row
    const isShared = link?.sharing === undefined || parent[link.sharing] === row?.[link.sharing]
    expect(response.status, `${request.url} ${response.text}`).toBe(isShared ? 200 : 422)
    met.visible++
    if (!isShared) continue
    const pair = [keys.at(-2), keys.at(-1)] as [Value, Value]
    world.link(`${link?.name}`, link?.nouns[0].name === near.name ? pair : [pair[1], pair[0]], kind === 'link')
  }
}

function samples({ world, eye, operation }: Walk): readonly Row[] {
  const { name } = operation.shape.noun
  const classes = Map.groupBy(world.rows(name), (row) => eye(name, row))
  return [...classes.values()].flatMap((some) => some.slice(0, 3))
}

function bodyOf({ body }: Operation, row: Row): Record<string, Value> {
  return Object.fromEntries((body?.properties ?? []).map(({ name, field }) => [name, row[field] ?? null]))
}

function fromPath({ body }: Operation, ancestors: readonly Value[]): Row {
  return Object.fromEntries(
    (body?.fromPath ?? []).map(({ property, level }) => [property.field, ancestors[level] as Value]),
  )
}

function unsent({ body, shape: { noun } }: Operation): Row {
  const isSent = (field: string) => body?.properties.some((property) => property.field === field)
  const fields = Object.keys(noun.fields).filter((field) => field !== noun.identity && !isSent(field))
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { managed, defaultFrom, default: value = null } = specOf(noun, field)
      if (defaultFrom !== undefined) return []
      return [[field, managed?.endsWith('at') ? new Date().toISOString() : value]]
    }),
  )
}

function freshValues({ shape: { noun } }: Operation, row: Row): Row {
  created++
  const inSets = (noun.options.unique ?? []).flat().filter((field) => specOf(noun, field).kind === 'text')
  const unique = Object.keys(noun.fields).filter((field) => specOf(noun, field).unique || inSets.includes(field))
  const fresh = (field: string): string => {
    const { kind } = specOf(noun, field)
    if (kind === 'guid') return crypto.randomUUID()
    return kind === 'email' ? `new${created}@example.com` : `${row[field]} ${created}`
  }
  const values = Object.fromEntries(unique.map((field) => [field, fresh(field)]))
  return 'username' in values ? { ...values, username: values.email ?? '' } : values
}

function idName({ shape }: Operation): string {
  return shape.properties.find(({ field }) => field === shape.noun.identity)?.name ?? ''
}
