/** How the service shows its records, written out by hand from the specification. */
import type { Value } from './value.ts'
import { find, type NounName, type Row, type World } from './world.ts'

export type PropertyType = 'identity' | 'text' | 'email' | 'guid' | 'boolean' | 'choice' | 'moment' | 'reference'

export interface Property {
  name: string
  /** The stored field, where it bears another name. */
  field: string
  type: PropertyType
  isNullable?: true
  /** Set by the service alone. */
  isManaged?: true
  /** A new record may leave it out. */
  isOptional?: true
  isNonEmpty?: true
  target?: NounName
}

/** One way to show a noun. A record's two faces have two tags. */
export interface Face {
  name: string
  noun: NounName
  /** The single record. */
  properties: readonly Property[]
  /** What follows the path of a list, and the properties that the list shows. */
  lists: { readonly [suffix: string]: readonly string[] }
  search?: readonly string[]
  hasRange?: true
  isPlain?: true
  /** The property that a record can be looked up by. */
  lookup?: { segment: string; property: string }
  defaultFilter?: { property: string; value: Value }
}

type More = Omit<Partial<Property>, 'name'>

const of = (type: PropertyType, name: string, more: More = {}): Property => ({ name, field: name, type, ...more })
const identity = (name: string) => of('identity', name, { isManaged: true })
const text = (name: string, more?: More) => of('text', name, more)
const moment = (name: string, field: string) => of('moment', name, { field, isManaged: true })
const by = (name: string) => of('reference', name, { target: 'user', isNullable: true, isManaged: true })
const nullable = { isNullable: true, isOptional: true } as const
const applicationRef = of('reference', 'applicationRef', { target: 'application' })

export const directoryUser: Face = {
  name: 'user of the directory',
  noun: 'user',
  properties: [
    identity('id'),
    text('firstName'),
    text('lastName'),
    of('email', 'email'),
    text('phone', { isOptional: true }),
    text('extension', { isOptional: true }),
    of('choice', 'status', { isOptional: true }),
    of('reference', 'department', { target: 'department' }),
    of('reference', 'supervisor', { target: 'user', ...nullable }),
    moment('created', 'created'),
    moment('lastUpdated', 'lastUpdated'),
  ],
  lists: {
    '': ['id', 'firstName', 'lastName', 'email'],
    '-summary': ['id', 'firstName', 'lastName'],
    '-detail': [
      ...['id', 'firstName', 'lastName', 'email', 'phone', 'extension', 'status'],
      ...['department', 'supervisor', 'created', 'lastUpdated'],
    ],
  },
  search: ['firstName', 'lastName', 'email'],
  hasRange: true,
  lookup: { segment: 'by-email', property: 'email' },
}

export const accessUser: Face = {
  name: 'user of /v1',
  noun: 'user',
  properties: [
    identity('id'),
    text('firstName'),
    text('lastName'),
    text('username', { isOptional: true }),
    of('email', 'email'),
    text('avatarColor', nullable),
    moment('createdDate', 'created'),
    by('createdBy'),
    moment('updatedDate', 'lastUpdated'),
    by('updatedBy'),
  ],
  lists: { '': ['id', 'firstName', 'lastName', 'username', 'email'] },
  lookup: { segment: 'by-username', property: 'username' },
}

export const department: Face = {
  name: 'department',
  noun: 'department',
  properties: [identity('id'), text('name'), of('boolean', 'retired', { isOptional: true })],
  lists: { '': ['id', 'name', 'retired'] },
  defaultFilter: { property: 'retired', value: false },
}

export const preference: Face = {
  name: 'preference',
  noun: 'preference',
  properties: [
    identity('id'),
    text('type', { isNonEmpty: true }),
    of('boolean', 'enabled', nullable),
    text('value', nullable),
  ],
  lists: { '': ['id', 'type', 'enabled', 'value'] },
  isPlain: true,
}

export const application: Face = {
  name: 'application',
  noun: 'application',
  properties: [identity('applicationRef'), of('guid', 'guid'), text('name'), text('description')],
  lists: { '': ['applicationRef', 'guid', 'name', 'description'] },
  lookup: { segment: 'by-guid', property: 'guid' },
}

export const role: Face = {
  name: 'role',
  noun: 'role',
  properties: [identity('roleRef'), applicationRef, text('name'), text('description')],
  lists: { '': ['roleRef', 'applicationRef', 'name', 'description'] },
}

export const action: Face = {
  name: 'action',
  noun: 'action',
  properties: [identity('actionRef'), applicationRef, text('name'), text('description')],
  lists: { '': ['actionRef', 'applicationRef', 'name', 'description'] },
}

export function propertyOf(face: Face, name: string): Property | undefined {
  return face.properties.find((property) => property.name === name)
}

export function isMutable(property: Property): boolean {
  return !property.isManaged
}

/** The single record, references as identities. */
export function complete(face: Face, row: Row): Record<string, Value> {
  return Object.fromEntries(face.properties.map(({ name, field }) => [name, row[field] as Value]))
}

/** A list item. In /user-detail a department shows its name and a supervisor the full name. */
export function item(world: World, face: Face, suffix: string, row: Row): Record<string, Value> {
  const shown: Record<string, Value> = {}
  for (const name of face.lists[suffix] as readonly string[]) {
    const property = propertyOf(face, name) as Property
    const value = row[property.field] as Value
    shown[name] =
      suffix === '-detail' && property.target && value !== null ? label(world, property.target, value) : value
  }
  return shown
}

function label(world: World, noun: NounName, id: Value): string {
  const row = find(world, noun, id) as Row
  return noun === 'user' ? `${row.firstName} ${row.lastName}` : String(row.name)
}
