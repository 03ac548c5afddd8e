/** The views of the records, written by hand from the specification. */
import type { Value } from './value.ts'
import { findRow, type NounName, type Row, type World } from './world.ts'

export type PropertyType = 'identity' | 'text' | 'email' | 'guid' | 'boolean' | 'choice' | 'moment' | 'reference'

export interface Property {
  name: string
  /** The name of the stored field. */
  field: string
  type: PropertyType
  isNullable?: true
  /** Whether only the service sets it. */
  isManaged?: true
  /** Whether a create may omit it. */
  isOptional?: true
  isNonEmpty?: true
  target?: NounName
}

/** A view of a noun. A record has a different ETag in each view. */
export interface View {
  name: string
  noun: NounName
  /** The properties of the single record. */
  properties: readonly Property[]
  /** The properties of each list, by the suffix of its path. */
  lists: { readonly [suffix: string]: readonly string[] }
  search?: readonly string[]
  hasRange?: true
  isPlain?: true
  /** The property for lookups. */
  lookup?: { segment: string; property: string }
  defaultFilter?: { property: string; value: Value }
}

type PropertyOptions = Omit<Partial<Property>, 'name'>

const property = (type: PropertyType, name: string, options: PropertyOptions = {}): Property => ({
  name,
  field: name,
  type,
  ...options,
})
const identity = (name: string) => property('identity', name, { isManaged: true })
const text = (name: string, options?: PropertyOptions) => property('text', name, options)
const timestamp = (name: string, field: string) => property('moment', name, { field, isManaged: true })
const userReference = (name: string) =>
  property('reference', name, { target: 'user', isNullable: true, isManaged: true })
const nullable = { isNullable: true, isOptional: true } as const
const applicationRef = property('reference', 'applicationRef', { target: 'application' })

export const directoryUser: View = {
  name: 'user of the directory',
  noun: 'user',
  properties: [
    identity('id'),
    text('firstName'),
    text('lastName'),
    property('email', 'email'),
    text('phone', { isOptional: true }),
    text('extension', { isOptional: true }),
    property('choice', 'status', { isOptional: true }),
    property('reference', 'department', { target: 'department' }),
    property('reference', 'supervisor', { target: 'user', ...nullable }),
    timestamp('created', 'created'),
    timestamp('lastUpdated', 'lastUpdated'),
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

export const accessUser: View = {
  name: 'user of /v1',
  noun: 'user',
  properties: [
    identity('id'),
    text('firstName'),
    text('lastName'),
    text('username', { isOptional: true }),
    property('email', 'email'),
    text('avatarColor', nullable),
    timestamp('createdDate', 'created'),
    userReference('createdBy'),
    timestamp('updatedDate', 'lastUpdated'),
    userReference('updatedBy'),
  ],
  lists: { '': ['id', 'firstName', 'lastName', 'username', 'email'] },
  lookup: { segment: 'by-username', property: 'username' },
}

export const department: View = {
  name: 'department',
  noun: 'department',
  properties: [identity('id'), text('name'), property('boolean', 'retired', { isOptional: true })],
  lists: { '': ['id', 'name', 'retired'] },
  defaultFilter: { property: 'retired', value: false },
}

export const preference: View = {
  name: 'preference',
  noun: 'preference',
  properties: [
    identity('id'),
    text('type', { isNonEmpty: true }),
    property('boolean', 'enabled', nullable),
    text('value', nullable),
  ],
  lists: { '': ['id', 'type', 'enabled', 'value'] },
  isPlain: true,
}

export const application: View = {
  name: 'application',
  noun: 'application',
  properties: [identity('applicationRef'), property('guid', 'guid'), text('name'), text('description')],
  lists: { '': ['applicationRef', 'guid', 'name', 'description'] },
  lookup: { segment: 'by-guid', property: 'guid' },
}

export const role: View = {
  name: 'role',
  noun: 'role',
  properties: [identity('roleRef'), applicationRef, text('name'), text('description')],
  lists: { '': ['roleRef', 'applicationRef', 'name', 'description'] },
}

export const action: View = {
  name: 'action',
  noun: 'action',
  properties: [identity('actionRef'), applicationRef, text('name'), text('description')],
  lists: { '': ['actionRef', 'applicationRef', 'name', 'description'] },
}

export function propertyOf(view: View, name: string): Property | undefined {
  return view.properties.find((property) => property.name === name)
}

export function isSettable(property: Property): boolean {
  return !property.isManaged
}

/** The single record, references as identities. */
export function completeRecord(view: View, row: Row): Record<string, Value> {
  return Object.fromEntries(view.properties.map(({ name, field }) => [name, row[field] as Value]))
}

/** A list item. In /user-detail a department shows its name and a supervisor the full name. */
export function listItemOf(world: World, view: View, suffix: string, row: Row): Record<string, Value> {
  const listItem: Record<string, Value> = {}
  for (const name of view.lists[suffix] as readonly string[]) {
    const property = propertyOf(view, name) as Property
    const value = row[property.field] as Value
    listItem[name] =
      suffix === '-detail' && property.target && value !== null ? label(world, property.target, value) : value
  }
  return listItem
}

function label(world: World, noun: NounName, id: Value): string {
  const row = findRow(world, noun, id) as Row
  return noun === 'user' ? `${row.firstName} ${row.lastName}` : String(row.name)
}
