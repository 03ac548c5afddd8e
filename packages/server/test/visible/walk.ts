/** Walks an operation of a table with all that may be asked of it, and holds every answer against the world. */
import { type Operation, type OperationKind, type Property, specOf, type Value } from '@nomen/core'
import type { Caller } from '@nomen/server'
import { expect } from 'vitest'
import type { Called, Desk, Request } from './desk.ts'
import type { Eye, Row, World } from './world.ts'

export interface Walk {
  readonly desk: Desk
  readonly world: World
  readonly caller: Caller
  readonly eye: Eye
  readonly operation: Operation
}

/** How often something was seen, and how often it was not: a walk that meets only one of them proves nothing. */
export interface Met {
  seen: number
  unseen: number
}

/** An identity that no record has. */
const nobody = 999_999
const everything: Eye = () => true

/** Every kind of operation that is derived has its walk: one that is added does not compile without. */
const walks: { readonly [Kind in Exclude<OperationKind, 'custom'>]: (walk: Walk, met: Met) => Promise<void> } = {
  list: walkList,
  read: walkOne,
  lookup: walkLookup,
  create: walkCreate,
  replace: walkChange,
  update: walkChange,
  delete: walkDelete,
  link: walkLink,
  unlink: walkLink,
}

export async function walkOperation(walk: Walk): Promise<Met> {
  const met = { seen: 0, unseen: 0 }
  const { kind } = walk.operation
  if (kind !== 'custom') await walks[kind](walk, met)
  return met
}

async function walkList(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye } = walk
  let isFiltered = false
  for (const ancestors of pathsTo(walk, operation.levels.length - 1)) {
    const url = urlOf(operation, ancestors)
    if (await isMissing(walk, ancestors, { method: 'GET', url }, met)) continue
    await expectList(walk, ancestors, '', met)
    // Filters are the same below every parent.
    if (!isFiltered && fitting(walk, ancestors, () => true).length > 0) await expectFilters(walk, ancestors, met)
    isFiltered ||= fitting(walk, ancestors, () => true).length > 0
  }
  const { name } = operation.shape.noun
  if (world.rows(name).some((row) => !eye(name, row))) met.unseen++
}

/** The records of a list that a filter lets through, in their order. */
function fitting(
  { world, eye, operation }: Walk,
  ancestors: readonly Value[],
  fits: (row: Row) => boolean,
): readonly Row[] {
  const { name } = operation.shape.noun
  const relations = operation.levels.at(-1)?.relations ?? []
  return world.rows(name).filter((row) => eye(name, row) && fits(row) && world.isBelow(eye, relations, row, ancestors))
}

async function expectList(
  walk: Walk,
  ancestors: readonly Value[],
  query: string,
  met: Met,
  fits?: (row: Row) => boolean,
) {
  const { operation, world, eye, desk, caller } = walk
  const wanted = fitting(walk, ancestors, fits ?? byDefault(operation))
  const isPaginated = operation.list?.isPaginated === true
  const url = `${urlOf(operation, ancestors)}?${isPaginated ? 'pageSize=1000&' : ''}${query}`
  const { status, body, text } = await desk.ask(caller, { method: 'GET', url })
  expect(status, `${url} ${text}`).toBe(200)
  const results: Record<string, Value>[] = isPaginated ? body.results : body
  const { properties } = operation.shape
  expect(
    results.map((one) => told(one, properties)),
    url,
  ).toEqual(wanted.map((row) => world.shown(eye, row, properties)))
  if (isPaginated) expect(body.pageInfo.numberOfRecords, url).toBe(wanted.length)
  met.seen += wanted.length
}

function byDefault({ list }: Operation, except?: string): (row: Row) => boolean {
  const defaults = (list?.parameters ?? []).flatMap((one) =>
    one.kind === 'equal' && one.default && one.name !== except
      ? [{ field: `${one.fields[0]}`, values: one.default }]
      : [],
  )
  return (row) => defaults.every(({ field, values }) => values.includes(row[field] ?? null))
}

/** Every property by a value of a record that is seen and of one that is not, with both of them included. */
async function expectFilters(walk: Walk, ancestors: readonly Value[], met: Met): Promise<void> {
  const { operation, world, eye } = walk
  const { noun } = operation.shape
  const rows = world.rows(noun.name)
  const isSeen = (row: Row) => eye(noun.name, row)
  const two = [...rows.filter(isSeen).slice(0, 1), ...rows.filter((row) => !isSeen(row)).slice(0, 1)]
  const include = two.map((row) => `include=${row[noun.identity]}`).join('&')
  const isIncluded = (row: Row) => two.some((one) => one[noun.identity] === row[noun.identity])
  for (const parameter of operation.list?.parameters ?? []) {
    if (parameter.kind !== 'equal' || parameter.spec.managed?.endsWith('at')) continue
    const field = `${parameter.fields[0]}`
    const isDefault = byDefault(operation, parameter.name)
    for (const one of two) {
      const value = one[field] ?? null
      const fits = (row: Row) => isDefault(row) && (row[field] ?? null) === value
      const query = `${parameter.name}=${encodeURIComponent(`${value ?? ''}`)}`
      await expectList(walk, ancestors, query, met, fits)
      await expectList(walk, ancestors, `${query}&${include}`, met, (row) => fits(row) || isIncluded(row))
    }
  }
  if (operation.list?.isPaginated) await expectPages(walk, ancestors)
}

async function expectPages(walk: Walk, ancestors: readonly Value[]): Promise<void> {
  const { operation, desk, caller } = walk
  const { identity } = operation.shape.noun
  const wanted = fitting(walk, ancestors, byDefault(operation))
    .map((row) => row[identity])
    .reverse()
  for (let page = 1; page <= Math.ceil(wanted.length / 3) + 1; page++) {
    const url = `${urlOf(operation, ancestors)}?pageSize=3&pageNumber=${page}&sort=-${identity}`
    const { body } = await desk.ask(caller, { method: 'GET', url })
    expect(
      body.results.map((one: Row) => one[identity]),
      url,
    ).toEqual(wanted.slice((page - 1) * 3, page * 3))
    expect(body.pageInfo.numberOfPages, url).toBe(Math.ceil(wanted.length / 3))
  }
}

async function walkOne(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, desk, caller } = walk
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const request = { method: 'GET', url: urlOf(operation, keys) }
    if (await isMissing(walk, keys, request, met)) continue
    const row = world.row(operation.shape.noun.name, keys.at(-1) as Value) as Row
    expectRecord(walk, row, await desk.ask(caller, request))
    met.seen++
    // Whoever has the tag of a record that is not seen learns nothing by it.
    const everyTag = await desk.ask(caller, { ...request, headers: { 'if-none-match': '*' } })
    expect(everyTag.status, request.url).toBe(eye(operation.shape.noun.name, row) ? 304 : 404)
    const noTag = await desk.ask(caller, { ...request, headers: { 'if-match': '"x"' } })
    expect(noTag.status, request.url).toBe(eye(operation.shape.noun.name, row) ? 412 : 404)
  }
}

async function walkLookup(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, desk, caller } = walk
  const { noun } = operation.shape
  const { field = '', name = '' } = operation.lookup ?? {}
  for (const row of world.rows(noun.name)) {
    const value = `${row[field]}`
    const url = operation.path.replace(/\{[^}]*\}/, encodeURIComponent(value))
    const answer = await desk.ask(caller, { method: 'GET', url })
    if (eye(noun.name, row)) expectRecord(walk, row, answer)
    else
      expect(answer, url).toMatchObject({
        status: 404,
        body: { detail: `There is no ${noun.name} whose ${name} is "${value}".` },
      })
    met[eye(noun.name, row) ? 'seen' : 'unseen']++
  }
}

let created = 0

async function walkCreate(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, desk, caller } = walk
  const { noun } = operation.shape
  for (const ancestors of pathsTo(walk, operation.levels.length - 1)) {
    for (const sample of samples(walk)) {
      const { [noun.identity]: _, ...like } = sample
      const next = { ...like, ...freshValues(operation, sample), ...fromPath(operation, ancestors) }
      const request = { method: 'POST', url: urlOf(operation, ancestors), body: bodyOf(operation, next) }
      if (await isMissing(walk, ancestors, request, met)) continue
      const answer = await desk.ask(caller, request)
      const refusal = refusalOf(walk, next)
      met[refusal ? 'unseen' : 'seen']++
      if (refusal) expect([answer.status, answer.body.code], answer.text).toEqual(refusal)
      else {
        expect(answer.status, answer.text).toBe(201)
        world.put(noun.name, { ...next, [noun.identity]: answer.body[idName(operation)] })
      }
    }
  }
  if (world.rows(noun.name).every((row) => eye(noun.name, row))) met.unseen++
}

/** Where a caller who sees only some may not write it: pointing at what is not seen, or not being seen itself. */
function refusalOf({ world, eye, operation }: Walk, next: Row, previous?: Row): [number, string] | undefined {
  const { name } = operation.shape.noun
  if (!world.isPointingAtSeen(eye, name, next, previous)) return [422, 'reference-not-found']
  return eye(name, next) ? undefined : [403, 'out-of-sight']
}

async function walkChange(walk: Walk, met: Met): Promise<void> {
  const { operation, world, desk, caller } = walk
  const { name } = operation.shape.noun
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const row = world.row(name, keys.at(-1) as Value)
    const request = { method: operation.method, url: urlOf(operation, keys), body: row ? bodyOf(operation, row) : {} }
    // Not even a wrong tag is told from a right one.
    const conditional = { ...request, headers: { 'if-match': '"x"' } }
    if (row && (await isMissing(walk, keys, conditional, met))) continue
    if (!row) continue
    expect((await desk.ask(caller, conditional)).status, request.url).toBe(412)
    // What was read can be sent back, whatever it points at.
    expectRecord(walk, row, await desk.ask(caller, request))
    met.seen++
    for (const next of movedOut(walk, row)) {
      const refusal = refusalOf(walk, next, row)
      const answer = await desk.ask(caller, { ...request, body: bodyOf(operation, next) })
      expect([answer.status, answer.body.code], `${request.url} ${answer.text}`).toEqual(refusal)
      expectRecord(walk, row, await desk.ask(caller, { ...request, body: bodyOf(operation, row) }))
      met.unseen++
    }
  }
}

/** A record with one property of another at a time, where that may not be. */
function movedOut(walk: Walk, row: Row): readonly Row[] {
  const { world, operation } = walk
  const { name } = operation.shape.noun
  const given = operation.body?.properties ?? []
  const others = world.rows(name)
  return given.flatMap(({ field, spec }) => {
    if (spec.unique) return []
    const next = others.map((other) => ({ ...row, [field]: other[field] ?? null }))
    return next.filter((one) => refusalOf(walk, one, row) !== undefined).slice(0, 2)
  })
}

async function walkDelete(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, desk, caller } = walk
  const { name } = operation.shape.noun
  for (const keys of pathsTo(walk, operation.levels.length)) {
    const key = keys.at(-1) as Value
    const row = world.row(name, key)
    const request = { method: 'DELETE', url: urlOf(operation, keys), headers: { 'if-match': '"x"' } }
    if (await isMissing(walk, keys, request, met)) continue
    const answer = await desk.ask(caller, { ...request, headers: {} })
    const others = world.inTheWay(name, key)
    const [first] = others.filter((one) => eye(one.noun, one.row))
    const count = others.filter((one) => one.noun === first?.noun && eye(one.noun, one.row)).length
    if (others.length === 0) {
      expectRecord(walk, row as Row, answer)
      world.remove(name, key)
      met.seen++
    } else if (first) {
      expect([answer.status, answer.body.detail], request.url).toEqual([
        409,
        expect.stringMatching(`^${count} ${first.noun} record`),
      ])
      met.seen++
    } else {
      expect([answer.status, answer.body.detail], request.url).toEqual([
        409,
        `Records that you do not see point at this ${name}.`,
      ])
      met.unseen++
    }
  }
}

async function walkLink(walk: Walk, met: Met): Promise<void> {
  const { operation, world, eye, desk, caller } = walk
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
    const answer = await desk.ask(caller, request)
    const parent = world.row(near.name, keys.at(-2) as Value) as Row
    const isShared = link?.sharing === undefined || parent[link.sharing] === row?.[link.sharing]
    expect(answer.status, `${request.url} ${answer.text}`).toBe(isShared ? 200 : 422)
    met.seen++
    if (!isShared) continue
    const pair = [keys.at(-2), keys.at(-1)] as [Value, Value]
    world.link(`${link?.name}`, link?.nouns[0].name === near.name ? pair : [pair[1], pair[0]], kind === 'link')
  }
}

/** Where the path names what is not seen: 404 in the words for what is not there, and the world stays as it was. */
async function isMissing(walk: Walk, keys: readonly Value[], request: Request, met: Met): Promise<boolean> {
  const { world, eye, operation, desk, caller } = walk
  const level = world.missing(eye, operation, keys)
  if (level === undefined) return false
  const { name } = operation.levels[level]?.resource.noun ?? {}
  const { status, body } = await desk.ask(caller, request)
  const above = keys.slice(0, level).map((key, at) => ` of ${operation.levels[at]?.resource.noun.name} ${key}`)
  const detail = `There is no ${name} ${keys[level]}${above.reverse().join('')}.`
  expect([status, body.code, body.detail], `${request.method} ${request.url}`).toEqual([
    404,
    'record-not-found',
    detail,
  ])
  if (world.missing(everything, operation, keys) === undefined) met.unseen++
  return true
}

function expectRecord({ world, eye, operation }: Walk, row: Row, { status, body, text }: Called): void {
  expect(status, text).toBe(200)
  const { properties } = operation.shape
  expect(told(body, properties)).toEqual(world.shown(eye, row, properties))
}

/** An answer without what the service notes of writes. */
function told(record: Record<string, Value>, properties: readonly Property[]): Record<string, Value | undefined> {
  const shown = properties.filter(({ spec }) => spec.managed === undefined || spec.managed === 'identity')
  expect(Object.keys(record)).toEqual(properties.map(({ name }) => name))
  return Object.fromEntries(shown.map(({ name }) => [name, record[name]]))
}

/** Paths with that many identities: records that are seen and not, related to those above and not, and none at all. */
function* pathsTo(walk: Walk, length: number, above: readonly Value[] = []): Generator<readonly Value[]> {
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

function urlOf({ path }: Operation, keys: readonly Value[]): string {
  let at = 0
  return path.replace(/\{[^}]*\}/g, () => `${keys[at++]}`)
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

/** Values that no other record has, where no two may have the same. */
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
