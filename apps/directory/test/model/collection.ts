/** All collections of the service with their records and operations. */

import { readInteger } from './value.ts'
import { accessUser, action, application, department, directoryUser, preference, role, type View } from './view.ts'
import { findRow, identityOf, isLinked, type Row, type World } from './world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Collection {
  /** The path without identities: `['v1', 'role', '{}', 'action']`. */
  segments: readonly string[]
  view: View
  parent?: Collection
  writes: 'all' | 'change' | 'link' | 'none'
  /** Whether the collection contains a record, below ancestors with these IDs. */
  contains(world: World, ancestors: readonly number[], row: Row): boolean
}

const containsAll = () => true
const segmentsOf = (path: string) => path.split('/').slice(1)

const user: Collection = { segments: segmentsOf('/user'), view: directoryUser, writes: 'all', contains: containsAll }
const v1User: Collection = {
  segments: segmentsOf('/v1/user'),
  view: accessUser,
  writes: 'change',
  contains: containsAll,
}
const v1Application: Collection = {
  segments: segmentsOf('/v1/application'),
  view: application,
  writes: 'all',
  contains: containsAll,
}
const v1Role: Collection = { segments: segmentsOf('/v1/role'), view: role, writes: 'all', contains: containsAll }

const applicationRole: Collection = {
  segments: segmentsOf('/v1/application/{}/role'),
  view: role,
  parent: v1Application,
  writes: 'none',
  contains: (_world, [application], row) => row.applicationRef === application,
}

const applicationUser: Collection = {
  segments: segmentsOf('/v1/application/{}/user'),
  view: accessUser,
  parent: v1Application,
  writes: 'none',
  contains: (world, [application], row) =>
    world.rows.role.some(
      ({ roleRef, applicationRef }) =>
        applicationRef === application && isLinked(world.userRole, Number(row.id), Number(roleRef)),
    ),
}

export const collections: readonly Collection[] = [
  user,
  {
    segments: segmentsOf('/user/{}/preference'),
    view: preference,
    parent: user,
    writes: 'all',
    contains: (_world, [user], row) => row.user === user,
  },
  { segments: segmentsOf('/department'), view: department, writes: 'all', contains: containsAll },
  v1User,
  {
    segments: segmentsOf('/v1/user/{}/role'),
    view: role,
    parent: v1User,
    writes: 'link',
    contains: (world, [user], row) => isLinked(world.userRole, Number(user), Number(row.roleRef)),
  },
  v1Application,
  applicationRole,
  {
    segments: segmentsOf('/v1/application/{}/role/{}/action'),
    view: action,
    parent: applicationRole,
    writes: 'none',
    contains: (world, [application, role], row) =>
      row.applicationRef === application && isLinked(world.roleAction, Number(role), Number(row.actionRef)),
  },
  applicationUser,
  {
    segments: segmentsOf('/v1/application/{}/user/{}/role'),
    view: role,
    parent: applicationUser,
    writes: 'none',
    contains: (world, [application, user], row) =>
      row.applicationRef === application && isLinked(world.userRole, Number(user), Number(row.roleRef)),
  },
  {
    segments: segmentsOf('/v1/application/{}/user/{}/action'),
    view: action,
    parent: applicationUser,
    writes: 'none',
    contains: (world, [application, user], row) =>
      world.rows.role.some(
        ({ roleRef, applicationRef }) =>
          applicationRef === application &&
          isLinked(world.userRole, Number(user), Number(roleRef)) &&
          isLinked(world.roleAction, Number(roleRef), Number(row.actionRef)),
      ),
  },
  v1Role,
  {
    segments: segmentsOf('/v1/role/{}/action'),
    view: action,
    parent: v1Role,
    writes: 'link',
    contains: (world, [role], row) => isLinked(world.roleAction, Number(role), Number(row.actionRef)),
  },
  { segments: segmentsOf('/v1/action'), view: action, writes: 'all', contains: containsAll },
]

/** The target of a path: a list, one record, or one record by a unique property. */
export interface Target {
  kind: 'list' | 'record' | 'lookup'
  collection: Collection
  /** The IDs in the path, unparsed. */
  ids: readonly string[]
  /** The suffix of a list variant. */
  suffix: string
  /** The value of a lookup. */
  value: string
}

export function targetOf(path: readonly string[]): Target | undefined {
  for (const collection of collections) {
    const { segments, view } = collection
    const base = { collection, suffix: '', value: '' }
    const list = Object.keys(view.lists).find((suffix) => matches(withSuffix(segments, suffix), path))
    if (list !== undefined) return { ...base, kind: 'list', ids: idsIn(segments, path), suffix: list }
    const { lookup } = view
    if (lookup && !collection.parent && matches([...segments, lookup.segment, '{}'], path)) {
      return { ...base, kind: 'lookup', ids: [], value: String(path.at(-1)) }
    }
    if (matches([...segments, '{}'], path)) return { ...base, kind: 'record', ids: idsIn([...segments, '{}'], path) }
  }
  return undefined
}

/** The path template of a target: `/v1/role/{}/action/{}`. */
export function templateOf({ kind, collection: { segments, view }, suffix }: Target): string {
  const lastSegments = kind === 'record' ? ['{}'] : kind === 'lookup' ? [String(view.lookup?.segment), '{}'] : []
  return `/${[...withSuffix(segments, suffix), ...lastSegments].join('/')}`
}

export function methodsAt({ kind, collection: { writes }, suffix }: Target): readonly Method[] {
  if (kind === 'lookup') return ['GET']
  if (kind === 'list') return writes === 'all' && suffix === '' ? ['GET', 'POST'] : ['GET']
  if (writes === 'all') return ['GET', 'PUT', 'PATCH', 'DELETE']
  if (writes === 'change') return ['GET', 'PUT', 'PATCH']
  return writes === 'link' ? ['GET', 'PUT', 'DELETE'] : ['GET']
}

/** The records of a collection below these ancestors, or undefined if an ancestor does not exist. */
export function membersOf(world: World, collection: Collection, ancestors: readonly string[]): Row[] | undefined {
  const ids = ancestors.map(readInteger)
  if (collection.parent && !memberOf(world, collection.parent, ancestors)) return undefined
  return world.rows[collection.view.noun].filter((row) => collection.contains(world, ids as number[], row))
}

/** One record of a collection. The last ID is that of the record. */
export function memberOf(world: World, collection: Collection, ids: readonly string[]): Row | undefined {
  const { noun } = collection.view
  const id = readInteger(String(ids.at(-1)))
  return membersOf(world, collection, ids.slice(0, -1))?.find((row) => identityOf(noun, row) === id)
}

/** The two ends of a link, whether or not they are linked. */
export function endsOf(world: World, { parent, view }: Collection, ids: readonly string[]) {
  const left = parent && memberOf(world, parent, ids.slice(0, -1))
  const right = findRow(world, view.noun, readInteger(String(ids.at(-1))))
  return left && right && { left, right }
}

function withSuffix(segments: readonly string[], suffix: string): readonly string[] {
  return [...segments.slice(0, -1), `${segments.at(-1)}${suffix}`]
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false
  return template.every((segment, index) => (segment === '{}' ? path[index] !== '' : segment === path[index]))
}

function idsIn(template: readonly string[], path: readonly string[]): string[] {
  return path.filter((_segment, index) => template[index] === '{}')
}
