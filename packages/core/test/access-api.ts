/** APIs of users, roles and actions, and functions that print their operations. */
import { expect } from 'vitest'
import { type AnyApi, api } from '../src/api/api.ts'
import { boolean, choice, email, guid, identity, reference, text } from '../src/field/kinds.ts'
import { createdAt, createdBy, updatedAt } from '../src/field/managed-kinds.ts'
import { link } from '../src/noun/link.ts'
import { noun } from '../src/noun/noun.ts'
import type { Operation } from '../src/operation/operation.ts'
import { operations } from '../src/operation/table.ts'
import { range } from '../src/resource/filter.ts'
import { type AnyResource, resource } from '../src/resource/resource.ts'

export const department = noun(
  'department',
  { id: identity(), name: text(), retired: boolean().default(false) },
  { label: 'name' },
)
export const user = noun(
  'user',
  {
    id: identity(),
    firstName: text(),
    lastName: text(),
    externalID: guid().unique(),
    email: email().unique(),
    status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
    department: reference(() => department),
    supervisor: reference(() => user)
      .nullable()
      .clearedOnDelete(),
    created: createdAt(),
    createdBy: createdBy(() => user),
    lastUpdated: updatedAt(),
  },
  { label: ['firstName', 'lastName'] },
)
export const preference = noun('preference', {
  id: identity(),
  user: reference(() => user),
  type: text(),
  value: text(),
})
export const revision = noun('revision', {
  id: identity(),
  preference: reference(() => preference),
  author: reference(() => user),
  note: text().default(''),
})
export const application = noun(
  'application',
  { applicationRef: identity(), guid: guid().unique(), name: text() },
  { label: 'name' },
)
export const role = noun(
  'role',
  { roleRef: identity(), applicationRef: reference(() => application), name: text() },
  { label: 'name' },
)
export const action = noun(
  'action',
  { actionRef: identity(), applicationRef: reference(() => application), name: text() },
  { label: 'name' },
)
export const userRole = link(user, role)
export const roleAction = link(role, action, { sharing: 'applicationRef' })

export const unversioned = (writes: 'nested' | 'flat', ...resources: readonly AnyResource[]) =>
  api('directory', { versioning: 'per-noun', writes, resources })

/** Method, path and id of every operation, in columns. */
export function outline(definition: AnyApi): string {
  const rows = operations(definition).map(({ method, path, id }) => [method, path, id])
  return `\n${columns(rows)}\n`
}

/** Every operation with its shape, and with the parameters of a list or the body of a write. */
export function table(definition: AnyApi): string {
  const blocks = operations(definition).map((operation) => {
    const { method, path, id } = operation
    return [`${method} ${path} (${id})`, shapeText(operation), inputText(operation)]
      .filter((line) => line !== '')
      .join('\n    ')
  })
  return `\n${blocks.join('\n')}\n`
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = (index: number) => Math.max(...rows.map((row) => (row[index] ?? '').length))
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(width(index)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shapeText({ shape }: Operation): string {
  const names = shape.properties.map(({ name, field, label }) => {
    const storedName = name === field ? name : `${name}=${field}`
    return label ? `${storedName}:${label.fields.join('+')}` : storedName
  })
  return `${shape.name}(${names.join(' ')})`
}

function inputText({ list, body, lookup, link: linked }: Operation): string {
  if (lookup) return `by ${lookup.field}`
  if (linked) return `link ${linked.name}`
  if (body) {
    const fromPath = body.fromPath.map(({ property, level }) => `${property.name}<-${level}`)
    return `{${[...body.properties.map(({ name }) => name), ...fromPath].join(' ')}}`
  }
  if (!list) return ''
  const names = list.parameters.map((parameter) => {
    if (parameter.kind === 'pageSize') return `pageSize=${parameter.default}/${parameter.maximum}`
    if (parameter.kind === 'search') return `search(${parameter.fields.join(' ')})`
    if (parameter.kind === 'equal' && parameter.default) return `${parameter.name}=${parameter.default.join('|')}`
    return parameter.name
  })
  return `${list.isPaginated ? '' : 'array '}?${names.join(' ')}`
}

export const operationById = (definition: AnyApi, id: string): Operation => {
  const operation = operations(definition).find((parameter) => parameter.id === id)
  if (!operation) expect.unreachable(`there is no operation ${id}`)
  return operation
}

/** All apis of this file, for tests that must pass for each of them. */
export const nested = unversioned(
  'nested',
  resource(user, {
    complete: ['id', 'firstName', 'lastName', 'externalID', 'email', 'status', 'department', 'supervisor', 'created'],
    list: ['id', 'lastName', 'department'],
    summary: ['id', 'lastName'],
    detail: true,
    by: ['email', 'externalID'],
    search: ['firstName', 'lastName'],
    defaultFilter: { status: 'ACTIVE' },
    filters: { createdOrUpdated: range('created', 'lastUpdated') },
    children: [
      resource(preference, {
        complete: ['id', 'type', 'value'],
        paginated: false,
        children: [resource(revision, { ifMatch: 'required', pageSize: { default: 5, maximum: 50 } })],
      }),
    ],
    offers: ['list', 'read', 'replace', 'update', 'delete'],
  }),
  resource(department, { offers: ['list', 'read', 'create'] }),
)
export const flat = api('access', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  pageSize: { default: 20, maximum: 200 },
  resources: [
    resource(user, {
      rename: { createdDate: 'created' },
      complete: ['id', 'firstName', 'createdDate'],
      parameter: 'userRef',
      offers: ['list', 'read', 'update'],
      children: [resource(role, { via: userRole })],
    }),
    resource(application, {
      by: ['guid'],
      offers: ['read'],
      children: [
        resource(role, { children: [resource(action, { via: roleAction })] }),
        resource(user, {
          complete: ['id', 'lastName'],
          parameter: 'userRef',
          via: [userRole, 'applicationRef'],
          children: [resource(role, { via: userRole }), resource(action, { via: [roleAction, userRole] })],
        }),
      ],
    }),
    resource(role, { children: [resource(action, { via: roleAction })] }),
    resource(action, { offers: ['create'], children: [resource(role, { via: roleAction, offers: ['link'] })] }),
  ],
})
export const versioned = api('mixed', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(department),
    resource(user, {
      version: 3,
      offers: ['list', 'read'],
      by: ['email'],
      children: [resource(preference, { children: [resource(revision, { version: 5, offers: ['list'] })] })],
    }),
    resource(application, { version: { replace: 2, read: 4 }, by: ['guid'], children: [resource(role)] }),
  ],
})
