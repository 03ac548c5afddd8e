/** Creates the request of a command from the current records. */

import { bodyFor } from './body-plan.ts'
import { type Collection, collections, type Method, membersOf, methodsAt, targetOf } from './collection.ts'
import type { Command, Condition, Pick } from './command.ts'
import { elementAt, idFor } from './pick.ts'
import { unknownPaths } from './pool.ts'
import { queryFor, textOf } from './query-plan.ts'
import type { Request } from './request.ts'
import type { Model } from './turn.ts'
import { accessUser, directoryUser, type Property, propertyOf, type View } from './view.ts'
import { findRow, identityOf, type Row, type World } from './world.ts'

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>

const writableCollections = collections.filter(({ writes }) => writes === 'all')
const changeableCollections = collections.filter(({ writes }) => writes === 'all' || writes === 'change')
const linkCollections = collections.filter(({ writes }) => writes === 'link')
// The first is /user, whose lists have the most parameters.
const listCollections = [
  ...collections,
  ...collections.slice(0, 6),
  ...Array<Collection>(6).fill(collections[0] as Collection),
]
const lookupCollections = collections.filter(({ view, parent }) => view.lookup && !parent)

/** The request, or undefined if no request is possible. `posts` are the earlier requests with a key. */
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

function list(
  { collection: n, suffix: s, picks, query, isHead, ifMatch }: CommandOf<'list'>,
  { world }: Model,
): Request {
  const collection = elementAt(listCollections, n) as Collection
  const suffix = String(elementAt(Object.keys(collection.view.lists), s))
  const path = collectionPath(world, collection, picks).slice()
  path.push(`${path.pop()}${suffix}`)
  return {
    method: isHead ? 'HEAD' : 'GET',
    path,
    query: queryFor(world, collection.view, query),
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  }
}

function read(command: CommandOf<'read'>, model: Model): Request {
  const { collection: n, picks, condition, headers, isHead, hasParameter } = command
  const collection = elementAt(collections, n) as Collection
  const path = recordPath(model.world, collection, picks)
  return {
    method: isHead ? 'HEAD' : 'GET',
    path,
    query: hasParameter ? [['firstName', 'Ann']] : [],
    headers: Object.assign({}, ...headers.map((header) => conditionOf(model, path, header, condition))),
  }
}

function lookup({ collection: n, choice }: CommandOf<'lookup'>, { world }: Model): Request | undefined {
  const { view, segments } = elementAt(lookupCollections, n) as Collection
  const { segment, property } = view.lookup as { segment: string; property: string }
  const value = textOf(world, view, propertyOf(view, property) as Property, choice)
  if (value === '' || value.includes('\u0000')) return undefined
  return { method: 'GET', path: [...segments, segment, value], query: [], headers: {} }
}

function create({ collection: n, picks, body, key }: CommandOf<'create'>, { world }: Model): Request {
  const collection = elementAt([...writableCollections, ...writableCollections.slice(0, 3)], n) as Collection
  const path = collectionPath(world, collection, picks)
  const { headers, ...rest } = bodyFor(world, collection, 'POST', undefined, path, body)
  return { method: 'POST', path, query: [], headers: { ...headers, ...keyOf(key) }, ...rest }
}

/** One of twelve keys, and sometimes an invalid one. */
function keyOf(n: number | undefined): Record<string, string> {
  if (n === undefined) return {}
  return { 'idempotency-key': ['', 'a b', 'k'.repeat(256)][n % 60] ?? `k${n % 12}` }
}

function change(
  { kind, collection: n, picks, body, condition }: CommandOf<'replace' | 'update'>,
  model: Model,
): Request {
  const collection = elementAt([...changeableCollections, ...changeableCollections.slice(0, 3)], n) as Collection
  const path = recordPath(model.world, collection, picks)
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

function erase({ collection: n, picks, condition }: CommandOf<'delete'>, model: Model): Request {
  const path = recordPath(model.world, elementAt(writableCollections, n) as Collection, picks)
  return { method: 'DELETE', path, query: [], headers: conditionOf(model, path, 'if-match', condition) }
}

/** Most links are between records that can be linked. */
function link({ kind, collection: n, picks, hasBody, condition }: CommandOf<'link' | 'unlink'>, model: Model): Request {
  const { world } = model
  const collection = elementAt(linkCollections, n) as Collection
  const path = recordPath(world, collection, picks)
  const last = picks[collection.parent ? 1 : 0] as Pick
  if (kind === 'link' && last.from === 'member' && last.n % 4 !== 0) {
    const left = findRow(world, 'role', Number(path[2]))
    const linkableRows = world.rows[collection.view.noun].filter(
      (row) => collection.view.noun === 'role' || row.applicationRef === left?.applicationRef,
    )
    const row = elementAt(linkableRows, last.n)
    if (row) path[path.length - 1] = String(identityOf(collection.view.noun, row))
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
function retry({ n, isChanged }: CommandOf<'retry'>, posts: readonly Request[]): Request | undefined {
  const post = posts.at(-1 - (n % posts.length))
  return post && isChanged ? { ...post, text: String(post.text).replace(':"', ':"x') } : post
}

function stray({ n, picks, collection: c, part }: CommandOf<'stray'>, { world }: Model): Request {
  const noInput = { query: [], headers: {} }
  if (part === 'path') return { method: 'GET', path: String(elementAt(unknownPaths, n)).split('/'), ...noInput }
  const collection = elementAt(collections, c) as Collection
  const path = n % 2 === 0 ? collectionPath(world, collection, picks) : recordPath(world, collection, picks)
  if (part === 'options') return { method: 'OPTIONS', path, ...noInput }
  if (part === 'body')
    return { method: 'GET', path, query: [], headers: { 'content-type': 'application/json' }, text: '{}' }
  const target = targetOf(path)
  const methods: Method[] = ['POST', 'PUT', 'PATCH', 'DELETE']
  const otherMethods = methods.filter((method) => !target || !methodsAt(target).includes(method))
  return { method: elementAt(otherMethods, n) ?? 'GET', path, ...noInput }
}

/** The path of a collection with the IDs of its ancestors. */
function collectionPath(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  const ids = collection.parent ? idsTo(world, collection.parent, picks) : []
  return fillTemplate(collection.segments, ids)
}

function recordPath(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  return fillTemplate([...collection.segments, '{}'], idsTo(world, collection, picks))
}

function idsTo(world: World, collection: Collection, picks: readonly Pick[]): string[] {
  const ancestorIds = collection.parent ? idsTo(world, collection.parent, picks) : []
  const members = membersOf(world, collection, ancestorIds) ?? []
  return [...ancestorIds, idFor(world, collection.view.noun, members, picks[ancestorIds.length] as Pick)]
}

function fillTemplate(template: readonly string[], ids: readonly string[]): string[] {
  let nextIndex = 0
  return template.map((segment) => (segment === '{}' ? String(ids[nextIndex++]) : segment))
}

/** The record with the last ID of a path, even if it is not related to its ancestors. */
function rowAt({ world }: Model, path: readonly string[]): Row | undefined {
  const target = targetOf(path)
  return target && findRow(world, target.collection.view.noun, Number(target.ids.at(-1)))
}

/** The request after a list: the same list with another value, if it has a filter. */
export function followingRequests(command: Command, request: Request, { world }: Model): Request[] {
  if (command.kind !== 'list' || command.repeat.change === 'none') return []
  const { change, choice } = command.repeat
  const view = targetOf(request.path)?.collection.view as View
  const filters = request.query.filter(([name]) => propertyOf(view, name))
  const [name] = elementAt(filters, choice.n) ?? []
  if (name === undefined) return []
  const value = change === 'value' ? textOf(world, view, propertyOf(view, name) as Property, choice) : ''
  const index = change === 'one more' ? request.query.length : request.query.findIndex((pair) => pair[0] === name)
  return [{ ...request, query: request.query.toSpliced(index, 1, [name, value]) }]
}

/** Reads that must run before the command, so that the ETags for its condition are known. */
export function precedingRequests(command: Command, request: Request, model: Model): Request[] {
  if (!('condition' in command) || command.condition === 'none') return []
  const target = targetOf(request.path)
  const row = rowAt(model, request.path)
  if (!target || !row) return []
  const { view } = target.collection
  const read: Request = { method: 'GET', path: request.path, query: [], headers: {} }
  const requests = model.tags.current(view, row) ? [] : [read]
  if (command.condition !== 'other-view' || view.noun !== 'user') return requests
  const isDirectory = view === directoryUser
  const otherView = isDirectory ? accessUser : directoryUser
  const path = [...(isDirectory ? ['v1'] : []), 'user', String(row.id)]
  return model.tags.current(otherView, row) ? requests : [...requests, { ...read, path }]
}

function conditionOf(
  model: Model,
  path: readonly string[],
  header: 'if-match' | 'if-none-match',
  condition: Condition,
): Record<string, string> {
  if (condition === 'none') return {}
  const row = rowAt(model, path)
  const view = targetOf(path)?.collection.view
  return { [header]: (row && view && tagFor(model, view, row, condition)) ?? '"1-1-x"' }
}

function tagFor({ tags }: Model, view: View, row: Row, condition: Condition): string | undefined {
  const current = tags.current(view, row)
  const knownTags = tags.knownTagsOf(view.noun, identityOf(view.noun, row))
  if (condition === 'any') return '*'
  if (condition === 'current') return current
  if (condition === 'listed') return current && `"1-1-x", ${current}, "2-2-y"`
  if (condition === 'weak') return current && `W/${current}`
  if (condition === 'old')
    return knownTags.find((entry) => entry.version !== row.version && entry.view === view.name)?.tag
  return knownTags.find((entry) => entry.version === row.version && entry.view !== view.name)?.tag
}
