/** Turns a command into a request, with the records that are there at that moment. */

import { bodyFor } from './body-plan.ts'
import { type Collection, collections, type Method, membersOf, methodsAt, placeOf } from './collection.ts'
import type { Command, Condition, Pick } from './command.ts'
import { accessUser, directoryUser, type Face, type Property, propertyOf } from './face.ts'
import { at, idFor } from './pick.ts'
import { unknownPaths } from './pool.ts'
import { queryFor, textOf } from './query-plan.ts'
import type { Request } from './request.ts'
import type { Model } from './turn.ts'
import { find, identityOf, type Row, type World } from './world.ts'

type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>

const writable = collections.filter(({ writes }) => writes === 'all')
const changeable = collections.filter(({ writes }) => writes === 'all' || writes === 'change')
const linkable = collections.filter(({ writes }) => writes === 'link')
// The first is /user: its lists take the most parameters.
const listed = [...collections, ...collections.slice(0, 6), ...Array<Collection>(6).fill(collections[0] as Collection)]
const searchable = collections.filter(({ face, parent }) => face.lookup && !parent)

/** The request, or undefined where there is nothing to do. `posts` are the earlier ones that bear a key. */
export function resolve(command: Command, model: Model, posts: readonly Request[]): Request | undefined {
  switch (command.kind) {
    case 'list':
      return list(command, model)
    case 'read':
      return read(command, model)
    case 'lookup':
      return lookup(command, model)
    case 'create':
      return create(command, model)
    case 'replace':
    case 'update':
      return change(command, model)
    case 'delete':
      return erase(command, model)
    case 'link':
    case 'unlink':
      return link(command, model)
    case 'retry':
      return retry(command, posts)
    case 'stray':
      return stray(command, model)
  }
}

function list({ collection: n, suffix: s, picks, query, isHead, named }: Of<'list'>, { world }: Model): Request {
  const collection = at(listed, n) as Collection
  const suffix = String(at(Object.keys(collection.face.lists), s))
  const path = pathTo(world, collection, picks).slice()
  path.push(`${path.pop()}${suffix}`)
  return {
    method: isHead ? 'HEAD' : 'GET',
    path,
    query: queryFor(world, collection.face, query),
    headers: named === undefined ? {} : { 'if-match': named },
  }
}

function read(command: Of<'read'>, model: Model): Request {
  const { collection: n, picks, condition, headers, isHead, hasParameter } = command
  const collection = at(collections, n) as Collection
  const path = pathToOne(model.world, collection, picks)
  return {
    method: isHead ? 'HEAD' : 'GET',
    path,
    query: hasParameter ? [['firstName', 'Ann']] : [],
    headers: Object.assign({}, ...headers.map((header) => conditionOf(model, path, header, condition))),
  }
}

function lookup({ collection: n, choice }: Of<'lookup'>, { world }: Model): Request | undefined {
  const { face, segments } = at(searchable, n) as Collection
  const { segment, property } = face.lookup as { segment: string; property: string }
  const value = textOf(world, face, propertyOf(face, property) as Property, choice)
  if (value === '' || value.includes('\u0000')) return undefined
  return { method: 'GET', path: [...segments, segment, value], query: [], headers: {} }
}

function create({ collection: n, picks, body, key }: Of<'create'>, { world }: Model): Request {
  const collection = at([...writable, ...writable.slice(0, 3)], n) as Collection
  const path = pathTo(world, collection, picks)
  const { headers, ...rest } = bodyFor(world, collection, 'POST', undefined, path, body)
  return { method: 'POST', path, query: [], headers: { ...headers, ...keyOf(key) }, ...rest }
}

/** One of a dozen keys, and now and then one that is none. */
function keyOf(n: number | undefined): Record<string, string> {
  if (n === undefined) return {}
  return { 'idempotency-key': ['', 'a b', 'k'.repeat(256)][n % 60] ?? `k${n % 12}` }
}

function change({ kind, collection: n, picks, body, condition }: Of<'replace' | 'update'>, model: Model): Request {
  const collection = at([...changeable, ...changeable.slice(0, 3)], n) as Collection
  const path = pathToOne(model.world, collection, picks)
  const method = kind === 'replace' ? 'PUT' : 'PATCH'
  const { headers, ...rest } = bodyFor(model.world, collection, method, rowAt(model, path), path, body)
  return {
    method,
    path,
    query: [],
    headers: { ...headers, ...conditionOf(model, path, 'if-match', condition) },
    ...rest,
  }
}

function erase({ collection: n, picks, condition }: Of<'delete'>, model: Model): Request {
  const path = pathToOne(model.world, at(writable, n) as Collection, picks)
  return { method: 'DELETE', path, query: [], headers: conditionOf(model, path, 'if-match', condition) }
}

/** A link is mostly made between records that can be linked. */
function link({ kind, collection: n, picks, hasBody, condition }: Of<'link' | 'unlink'>, model: Model): Request {
  const { world } = model
  const collection = at(linkable, n) as Collection
  const path = pathToOne(world, collection, picks)
  const last = picks[collection.parent ? 1 : 0] as Pick
  if (kind === 'link' && last.from === 'member' && last.n % 4 !== 0) {
    const left = find(world, 'role', Number(path[2]))
    const fitting = world.rows[collection.face.noun].filter(
      (row) => collection.face.noun === 'role' || row.applicationRef === left?.applicationRef,
    )
    const row = at(fitting, last.n)
    if (row) path[path.length - 1] = String(identityOf(collection.face.noun, row))
  }
  return {
    method: kind === 'link' ? 'PUT' : 'DELETE',
    path,
    query: [],
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...conditionOf(model, path, 'if-match', condition),
    },
    ...(hasBody && { text: '{"any":"thing"}' }),
  }
}

/** The same request again, or its key with another body. */
function retry({ n, isChanged }: Of<'retry'>, posts: readonly Request[]): Request | undefined {
  const post = posts.at(-1 - (n % posts.length))
  return post && isChanged ? { ...post, text: String(post.text).replace(':"', ':"x') } : post
}

function stray({ n, picks, collection: c, way }: Of<'stray'>, { world }: Model): Request {
  const nothing = { query: [], headers: {} }
  if (way === 'path') return { method: 'GET', path: String(at(unknownPaths, n)).split('/'), ...nothing }
  const collection = at(collections, c) as Collection
  const path = n % 2 === 0 ? pathTo(world, collection, picks) : pathToOne(world, collection, picks)
  if (way === 'options') return { method: 'OPTIONS', path, ...nothing }
  if (way === 'body')
    return { method: 'GET', path, query: [], headers: { 'content-type': 'application/json' }, text: '{}' }
  const place = placeOf(path)
  const methods: Method[] = ['POST', 'PUT', 'PATCH', 'DELETE']
  const refused = methods.filter((method) => !place || !methodsAt(place).includes(method))
  return { method: at(refused, n) ?? 'GET', path, ...nothing }
}

/** The path of a collection, its ancestors filled in. */
function pathTo(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  const ids = collection.parent ? idsTo(world, collection.parent, picks) : []
  return filled(collection.segments, ids)
}

function pathToOne(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  return filled([...collection.segments, '{}'], idsTo(world, collection, picks))
}

function idsTo(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  const above = collection.parent ? idsTo(world, collection.parent, picks) : []
  const members = membersOf(world, collection, above) ?? []
  return [...above, idFor(world, collection.face.noun, members, picks[above.length] as Pick)]
}

function filled(template: readonly string[], ids: readonly string[]): string[] {
  let next = 0
  return template.map((segment) => (segment === '{}' ? String(ids[next++]) : segment))
}

/** The record that a path means, related to its ancestors or not. */
function rowAt({ world }: Model, path: readonly string[]): Row | undefined {
  const place = placeOf(path)
  return place && find(world, place.collection.face.noun, Number(place.ids.at(-1)))
}

/** What follows a list: the same with another value, where it has a filter. */
export function sequelTo(command: Command, request: Request, { world }: Model): Request[] {
  if (command.kind !== 'list' || command.again.change === 'none') return []
  const { change, choice } = command.again
  const face = placeOf(request.path)?.collection.face as Face
  const filters = request.query.filter(([name]) => propertyOf(face, name))
  const [name] = at(filters, choice.n) ?? []
  if (name === undefined) return []
  const value = change === 'value' ? textOf(world, face, propertyOf(face, name) as Property, choice) : ''
  const index = change === 'one more' ? request.query.length : request.query.findIndex((pair) => pair[0] === name)
  return [{ ...request, query: request.query.toSpliced(index, 1, [name, value]) }]
}

/** Requests that must come first, so that the tags which the command is about have been seen. */
export function preludeTo(command: Command, request: Request, model: Model): Request[] {
  if (!('condition' in command) || command.condition === 'none') return []
  const place = placeOf(request.path)
  const row = rowAt(model, request.path)
  if (!place || !row) return []
  const { face } = place.collection
  const own: Request = { method: 'GET', path: request.path, query: [], headers: {} }
  const needed = model.tags.current(face, row) ? [] : [own]
  if (command.condition !== 'other-face' || face.noun !== 'user') return needed
  const isDirectory = face === directoryUser
  const other = isDirectory ? accessUser : directoryUser
  const path = [...(isDirectory ? ['v1'] : []), 'user', String(row.id)]
  return model.tags.current(other, row) ? needed : [...needed, { ...own, path }]
}

function conditionOf(
  model: Model,
  path: readonly string[],
  header: 'if-match' | 'if-none-match',
  condition: Condition,
): Record<string, string> {
  if (condition === 'none') return {}
  const row = rowAt(model, path)
  const face = placeOf(path)?.collection.face
  return { [header]: (row && face && tagFor(model, face, row, condition)) ?? '"1-1-x"' }
}

function tagFor({ tags }: Model, face: Face, row: Row, condition: Condition): string | undefined {
  const current = tags.current(face, row)
  const known = tags.of(face.noun, identityOf(face.noun, row))
  if (condition === 'any') return '*'
  if (condition === 'current') return current
  if (condition === 'listed') return current && `"1-1-x", ${current}, "2-2-y"`
  if (condition === 'weak') return current && `W/${current}`
  if (condition === 'old') return known.find((one) => one.version !== row.version && one.face === face.name)?.tag
  return known.find((one) => one.version === row.version && one.face !== face.name)?.tag
}
