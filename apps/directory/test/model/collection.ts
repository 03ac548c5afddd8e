/** Where records are found: every collection of the service, who stands in it, and what may be done there. */
import { accessUser, action, application, department, directoryUser, type Face, preference, role } from './face.ts'
import { readInteger } from './value.ts'
import { find, identityOf, isLinked, type Row, type World } from './world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Collection {
  /** The path without identities: `['v1', 'role', '{}', 'action']`. */
  segments: readonly string[]
  face: Face
  parent?: Collection
  writes: 'all' | 'change' | 'link' | 'none'
  /** Whether a record belongs here, given the identities of all ancestors. */
  holds(world: World, ancestors: readonly number[], row: Row): boolean
}

const everything = () => true
const at = (path: string) => path.split('/').slice(1)

const user: Collection = { segments: at('/user'), face: directoryUser, writes: 'all', holds: everything }
const v1User: Collection = { segments: at('/v1/user'), face: accessUser, writes: 'change', holds: everything }
const v1Application: Collection = {
  segments: at('/v1/application'),
  face: application,
  writes: 'all',
  holds: everything,
}
const v1Role: Collection = { segments: at('/v1/role'), face: role, writes: 'all', holds: everything }

const applicationRole: Collection = {
  segments: at('/v1/application/{}/role'),
  face: role,
  parent: v1Application,
  writes: 'none',
  holds: (_world, [application], row) => row.applicationRef === application,
}

const applicationUser: Collection = {
  segments: at('/v1/application/{}/user'),
  face: accessUser,
  parent: v1Application,
  writes: 'none',
  holds: (world, [application], row) =>
    world.rows.role.some(
      ({ roleRef, applicationRef }) =>
        applicationRef === application && isLinked(world.userRole, Number(row.id), Number(roleRef)),
    ),
}

export const collections: readonly Collection[] = [
  user,
  {
    segments: at('/user/{}/preference'),
    face: preference,
    parent: user,
    writes: 'all',
    holds: (_world, [user], row) => row.user === user,
  },
  { segments: at('/department'), face: department, writes: 'all', holds: everything },
  v1User,
  {
    segments: at('/v1/user/{}/role'),
    face: role,
    parent: v1User,
    writes: 'link',
    holds: (world, [user], row) => isLinked(world.userRole, Number(user), Number(row.roleRef)),
  },
  v1Application,
  applicationRole,
  {
    segments: at('/v1/application/{}/role/{}/action'),
    face: action,
    parent: applicationRole,
    writes: 'none',
    holds: (world, [application, role], row) =>
      row.applicationRef === application && isLinked(world.roleAction, Number(role), Number(row.actionRef)),
  },
  applicationUser,
  {
    segments: at('/v1/application/{}/user/{}/role'),
    face: role,
    parent: applicationUser,
    writes: 'none',
    holds: (world, [application, user], row) =>
      row.applicationRef === application && isLinked(world.userRole, Number(user), Number(row.roleRef)),
  },
  {
    segments: at('/v1/application/{}/user/{}/action'),
    face: action,
    parent: applicationUser,
    writes: 'none',
    holds: (world, [application, user], row) =>
      world.rows.role.some(
        ({ roleRef, applicationRef }) =>
          applicationRef === application &&
          isLinked(world.userRole, Number(user), Number(roleRef)) &&
          isLinked(world.roleAction, Number(roleRef), Number(row.actionRef)),
      ),
  },
  v1Role,
  {
    segments: at('/v1/role/{}/action'),
    face: action,
    parent: v1Role,
    writes: 'link',
    holds: (world, [role], row) => isLinked(world.roleAction, Number(role), Number(row.actionRef)),
  },
  { segments: at('/v1/action'), face: action, writes: 'all', holds: everything },
]

/** What a path points at: a list, one record, or one record by a unique property. */
export interface Place {
  kind: 'list' | 'one' | 'lookup'
  collection: Collection
  /** The identities in the path, as they stand there. */
  ids: readonly string[]
  /** Of a list. */
  suffix: string
  /** Of a lookup. */
  value: string
}

export function placeOf(path: readonly string[]): Place | undefined {
  for (const collection of collections) {
    const { segments, face } = collection
    const here = { collection, suffix: '', value: '' }
    const list = Object.keys(face.lists).find((suffix) => fits(withSuffix(segments, suffix), path))
    if (list !== undefined) return { ...here, kind: 'list', ids: idsIn(segments, path), suffix: list }
    const { lookup } = face
    if (lookup && !collection.parent && fits([...segments, lookup.segment, '{}'], path)) {
      return { ...here, kind: 'lookup', ids: [], value: String(path.at(-1)) }
    }
    if (fits([...segments, '{}'], path)) return { ...here, kind: 'one', ids: idsIn([...segments, '{}'], path) }
  }
  return undefined
}

/** The template of a place, for people: `/v1/role/{}/action/{}`. */
export function templateOf({ kind, collection: { segments, face }, suffix }: Place): string {
  const end = kind === 'one' ? ['{}'] : kind === 'lookup' ? [String(face.lookup?.segment), '{}'] : []
  return `/${[...withSuffix(segments, suffix), ...end].join('/')}`
}

export function methodsAt({ kind, collection: { writes }, suffix }: Place): readonly Method[] {
  if (kind === 'lookup') return ['GET']
  if (kind === 'list') return writes === 'all' && suffix === '' ? ['GET', 'POST'] : ['GET']
  if (writes === 'all') return ['GET', 'PUT', 'PATCH', 'DELETE']
  if (writes === 'change') return ['GET', 'PUT', 'PATCH']
  return writes === 'link' ? ['GET', 'PUT', 'DELETE'] : ['GET']
}

/** The records of a collection below these ancestors, or undefined where one of those is not there. */
export function membersOf(world: World, collection: Collection, ancestors: readonly string[]): Row[] | undefined {
  const ids = ancestors.map(readInteger)
  if (collection.parent && !memberOf(world, collection.parent, ancestors)) return undefined
  return world.rows[collection.face.noun].filter((row) => collection.holds(world, ids as number[], row))
}

/** One record of a collection; the last identity is its own. */
export function memberOf(world: World, collection: Collection, ids: readonly string[]): Row | undefined {
  const { noun } = collection.face
  const id = readInteger(String(ids.at(-1)))
  return membersOf(world, collection, ids.slice(0, -1))?.find((row) => identityOf(noun, row) === id)
}

/** The two ends of a link, whether or not they are linked. */
export function endsOf(world: World, { parent, face }: Collection, ids: readonly string[]) {
  const left = parent && memberOf(world, parent, ids.slice(0, -1))
  const right = find(world, face.noun, readInteger(String(ids.at(-1))))
  return left && right && { left, right }
}

function withSuffix(segments: readonly string[], suffix: string): readonly string[] {
  return [...segments.slice(0, -1), `${segments.at(-1)}${suffix}`]
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false
  return template.every((segment, index) => (segment === '{}' ? path[index] !== '' : segment === path[index]))
}

function idsIn(template: readonly string[], path: readonly string[]): string[] {
  return path.filter((_segment, index) => template[index] === '{}')
}
