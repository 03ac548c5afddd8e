import { describe, expect, it } from 'vitest'
import { type AnyApi, api } from '../api/api.ts'
import {
  boolean,
  choice,
  createdAt,
  createdBy,
  email,
  guid,
  identity,
  reference,
  text,
  updatedAt,
} from '../field/kinds.ts'
import { link } from '../noun/link.ts'
import { noun } from '../noun/noun.ts'
import { range } from '../resource/filter.ts'
import { type AnyResource, resource } from '../resource/resource.ts'
import { type Operation, operations } from './operation.ts'

const department = noun(
  'department',
  { id: identity(), name: text(), retired: boolean().default(false) },
  { label: 'name' },
)
const user = noun(
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
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text(), value: text() })
const revision = noun('revision', {
  id: identity(),
  preference: reference(() => preference),
  author: reference(() => user),
  note: text().default(''),
})
const application = noun(
  'application',
  { applicationRef: identity(), guid: guid().unique(), name: text() },
  { label: 'name' },
)
const role = noun(
  'role',
  { roleRef: identity(), applicationRef: reference(() => application), name: text() },
  { label: 'name' },
)
const action = noun(
  'action',
  { actionRef: identity(), applicationRef: reference(() => application), name: text() },
  { label: 'name' },
)
const userRole = link(user, role)
const roleAction = link(role, action, { sharing: 'applicationRef' })

const unversioned = (writes: 'nested' | 'flat', ...resources: readonly AnyResource[]) =>
  api('directory', { versioning: 'per-noun', writes, resources })

/** Method, path and id of every operation, in columns. */
function outline(declared: AnyApi): string {
  const rows = operations(declared).map(({ method, path, id }) => [method, path, id])
  return `\n${columns(rows)}\n`
}

/** The same, and under each its shape and the parameters of a list or the body of a write. */
function table(declared: AnyApi): string {
  const blocks = operations(declared).map((one) => {
    const { method, path, id } = one
    return [`${method} ${path} (${id})`, shapeText(one), inputText(one)].filter((line) => line !== '').join('\n    ')
  })
  return `\n${blocks.join('\n')}\n`
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = (at: number) => Math.max(...rows.map((row) => (row[at] ?? '').length))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(width(at)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shapeText({ shape }: Operation): string {
  const names = shape.properties.map(({ name, field, label }) => {
    const stored = name === field ? name : `${name}=${field}`
    return label ? `${stored}:${label.fields.join('+')}` : stored
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
  const names = list.parameters.map((one) => {
    if (one.kind === 'pageSize') return `pageSize=${one.default}/${one.maximum}`
    if (one.kind === 'search') return `search(${one.fields.join(' ')})`
    if (one.kind === 'equal' && one.default) return `${one.name}=${one.default.join('|')}`
    return one.name
  })
  return `${list.isPaginated ? '' : 'array '}?${names.join(' ')}`
}

const find = (declared: AnyApi, id: string): Operation => {
  const found = operations(declared).find((one) => one.id === id)
  if (!found) expect.unreachable(`there is no operation ${id}`)
  return found
}

/** Every api of this file: what must hold for all of them is tried on all of them. */
const nested = unversioned(
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
const flat = api('access', {
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
const versioned = api('mixed', {
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

describe('operations', () => {
  it('derives an api with nested writes', () => {
    expect(table(nested)).toMatchInlineSnapshot(`
      "
      GET /user (user.list)
          list(id lastName department:name)
          ?pageNumber pageSize=10/1000 sort include search(firstName lastName) id firstName lastName externalID email status=ACTIVE department supervisor created createdOrUpdatedFrom createdOrUpdatedTo
      GET /user-summary (user.summary)
          summary(id lastName)
          ?pageNumber pageSize=10/1000 sort include search(firstName lastName) id firstName lastName externalID email status=ACTIVE department supervisor created createdOrUpdatedFrom createdOrUpdatedTo
      GET /user-detail (user.detail)
          detail(id firstName lastName externalID email status department:name supervisor:firstName+lastName created)
          ?pageNumber pageSize=10/1000 sort include search(firstName lastName) id firstName lastName externalID email status=ACTIVE department supervisor created createdOrUpdatedFrom createdOrUpdatedTo
      GET /user/{id} (user.read)
          complete(id firstName lastName externalID email status department supervisor created)
      GET /user/by-email/{email} (user.lookup.email)
          complete(id firstName lastName externalID email status department supervisor created)
          by email
      GET /user/by-external-id/{externalID} (user.lookup.externalID)
          complete(id firstName lastName externalID email status department supervisor created)
          by externalID
      PUT /user/{id} (user.replace)
          complete(id firstName lastName externalID email status department supervisor created)
          {firstName lastName externalID email status department supervisor}
      PATCH /user/{id} (user.update)
          complete(id firstName lastName externalID email status department supervisor created)
          {firstName lastName externalID email status department supervisor}
      DELETE /user/{id} (user.delete)
          complete(id firstName lastName externalID email status department supervisor created)
      GET /user/{userId}/preference (user.preference.list)
          list(id type value)
          array ?sort include id type value
      GET /user/{userId}/preference/{id} (user.preference.read)
          complete(id type value)
      POST /user/{userId}/preference (user.preference.create)
          complete(id type value)
          {type value user<-0}
      PUT /user/{userId}/preference/{id} (user.preference.replace)
          complete(id type value)
          {type value user<-0}
      PATCH /user/{userId}/preference/{id} (user.preference.update)
          complete(id type value)
          {type value user<-0}
      DELETE /user/{userId}/preference/{id} (user.preference.delete)
          complete(id type value)
      GET /user/{userId}/preference/{preferenceId}/revision (user.preference.revision.list)
          list(id preference author:firstName+lastName note)
          ?pageNumber pageSize=5/50 sort include id preference author note
      GET /user/{userId}/preference/{preferenceId}/revision/{id} (user.preference.revision.read)
          complete(id preference author note)
      POST /user/{userId}/preference/{preferenceId}/revision (user.preference.revision.create)
          complete(id preference author note)
          {note author<-0 preference<-1}
      PUT /user/{userId}/preference/{preferenceId}/revision/{id} (user.preference.revision.replace)
          complete(id preference author note)
          {note author<-0 preference<-1}
      PATCH /user/{userId}/preference/{preferenceId}/revision/{id} (user.preference.revision.update)
          complete(id preference author note)
          {note author<-0 preference<-1}
      DELETE /user/{userId}/preference/{preferenceId}/revision/{id} (user.preference.revision.delete)
          complete(id preference author note)
      GET /department (department.list)
          list(id name retired)
          ?pageNumber pageSize=10/1000 sort include id name retired
      GET /department/{id} (department.read)
          complete(id name retired)
      POST /department (department.create)
          complete(id name retired)
          {name retired}
      "
    `)
  })

  it('derives an api with flat writes, links from both sides and chains', () => {
    expect(table(flat)).toMatchInlineSnapshot(`
      "
      GET /v1/user (user.list)
          list(id firstName createdDate=created)
          ?pageNumber pageSize=20/200 sort include id firstName createdDate
      GET /v1/user/{userRef} (user.read)
          complete(id firstName createdDate=created)
      PATCH /v1/user/{userRef} (user.update)
          complete(id firstName createdDate=created)
          {firstName}
      GET /v1/user/{userRef}/role (user.role.list)
          list(roleRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include roleRef applicationRef name
      GET /v1/user/{userRef}/role/{roleRef} (user.role.read)
          complete(roleRef applicationRef name)
      PUT /v1/user/{userRef}/role/{roleRef} (user.role.link)
          complete(roleRef applicationRef name)
          link user-role
      DELETE /v1/user/{userRef}/role/{roleRef} (user.role.unlink)
          complete(roleRef applicationRef name)
          link user-role
      GET /v1/application/{applicationRef} (application.read)
          complete(applicationRef guid name)
      GET /v1/application/by-guid/{guid} (application.lookup.guid)
          complete(applicationRef guid name)
          by guid
      GET /v1/application/{applicationRef}/role (application.role.list)
          list(roleRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include roleRef applicationRef name
      GET /v1/application/{applicationRef}/role/{roleRef} (application.role.read)
          complete(roleRef applicationRef name)
      GET /v1/application/{applicationRef}/role/{roleRef}/action (application.role.action.list)
          list(actionRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include actionRef applicationRef name
      GET /v1/application/{applicationRef}/role/{roleRef}/action/{actionRef} (application.role.action.read)
          complete(actionRef applicationRef name)
      GET /v1/application/{applicationRef}/user (application.user.list)
          list(id lastName)
          ?pageNumber pageSize=20/200 sort include id lastName
      GET /v1/application/{applicationRef}/user/{userRef} (application.user.read)
          complete(id lastName)
      GET /v1/application/{applicationRef}/user/{userRef}/role (application.user.role.list)
          list(roleRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include roleRef applicationRef name
      GET /v1/application/{applicationRef}/user/{userRef}/role/{roleRef} (application.user.role.read)
          complete(roleRef applicationRef name)
      GET /v1/application/{applicationRef}/user/{userRef}/action (application.user.action.list)
          list(actionRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include actionRef applicationRef name
      GET /v1/application/{applicationRef}/user/{userRef}/action/{actionRef} (application.user.action.read)
          complete(actionRef applicationRef name)
      GET /v1/role (role.list)
          list(roleRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include roleRef applicationRef name
      GET /v1/role/{roleRef} (role.read)
          complete(roleRef applicationRef name)
      POST /v1/role (role.create)
          complete(roleRef applicationRef name)
          {applicationRef name}
      PUT /v1/role/{roleRef} (role.replace)
          complete(roleRef applicationRef name)
          {applicationRef name}
      PATCH /v1/role/{roleRef} (role.update)
          complete(roleRef applicationRef name)
          {applicationRef name}
      DELETE /v1/role/{roleRef} (role.delete)
          complete(roleRef applicationRef name)
      GET /v1/role/{roleRef}/action (role.action.list)
          list(actionRef applicationRef name)
          ?pageNumber pageSize=20/200 sort include actionRef applicationRef name
      GET /v1/role/{roleRef}/action/{actionRef} (role.action.read)
          complete(actionRef applicationRef name)
      PUT /v1/role/{roleRef}/action/{actionRef} (role.action.link)
          complete(actionRef applicationRef name)
          link role-action
      DELETE /v1/role/{roleRef}/action/{actionRef} (role.action.unlink)
          complete(actionRef applicationRef name)
          link role-action
      POST /v1/action (action.create)
          complete(actionRef applicationRef name)
          {applicationRef name}
      PUT /v1/action/{actionRef}/role/{roleRef} (action.role.link)
          complete(roleRef applicationRef name)
          link role-action
      DELETE /v1/action/{actionRef}/role/{roleRef} (action.role.unlink)
          complete(roleRef applicationRef name)
          link role-action
      "
    `)
  })

  it('gives nouns and single operations versions of their own, and children the nearest one above', () => {
    expect(outline(versioned)).toMatchInlineSnapshot(`
      "
      GET     /department                                           department.list
      GET     /department/{id}                                      department.read
      POST    /department                                           department.create
      PUT     /department/{id}                                      department.replace
      PATCH   /department/{id}                                      department.update
      DELETE  /department/{id}                                      department.delete
      GET     /v3/user                                              v3.user.list
      GET     /v3/user/{id}                                         v3.user.read
      GET     /v3/user/by-email/{email}                             v3.user.lookup.email
      GET     /v3/user/{userId}/preference                          v3.user.preference.list
      GET     /v3/user/{userId}/preference/{id}                     v3.user.preference.read
      POST    /v3/user/{userId}/preference                          v3.user.preference.create
      PUT     /v3/user/{userId}/preference/{id}                     v3.user.preference.replace
      PATCH   /v3/user/{userId}/preference/{id}                     v3.user.preference.update
      DELETE  /v3/user/{userId}/preference/{id}                     v3.user.preference.delete
      GET     /v5/user/{userId}/preference/{preferenceId}/revision  v5.user.preference.revision.list
      GET     /application                                          application.list
      GET     /v4/application/{applicationRef}                      v4.application.read
      GET     /v4/application/by-guid/{guid}                        v4.application.lookup.guid
      POST    /application                                          application.create
      PUT     /v2/application/{applicationRef}                      v2.application.replace
      PATCH   /application/{applicationRef}                         application.update
      DELETE  /application/{applicationRef}                         application.delete
      GET     /application/{applicationRef}/role                    application.role.list
      GET     /application/{applicationRef}/role/{roleRef}          application.role.read
      POST    /application/{applicationRef}/role                    application.role.create
      PUT     /application/{applicationRef}/role/{roleRef}          application.role.replace
      PATCH   /application/{applicationRef}/role/{roleRef}          application.role.update
      DELETE  /application/{applicationRef}/role/{roleRef}          application.role.delete
      "
    `)
  })

  it('puts the version of the api before what has none of its own', () => {
    const mixed = api('mixed', {
      version: 2,
      versioning: 'per-noun',
      writes: 'flat',
      resources: [
        resource(department, { offers: ['list'] }),
        resource(application, { version: 7, offers: ['list', 'read'] }),
        resource(action, { version: { read: 9 }, offers: ['list', 'read'] }),
      ],
    })
    expect(outline(mixed)).toMatchInlineSnapshot(`
      "
      GET  /v2/department                    department.list
      GET  /v7/application                   v7.application.list
      GET  /v7/application/{applicationRef}  v7.application.read
      GET  /v2/action                        action.list
      GET  /v9/action/{actionRef}            v9.action.read
      "
    `)
    expect(operations(mixed).map(({ version }) => version)).toEqual([2, 7, 7, 2, 9])
  })

  it('offers everything at the root where nothing is said', () => {
    for (const form of ['nested', 'flat'] as const)
      expect(outline(unversioned(form, resource(department)))).toMatchInlineSnapshot(`
        "
        GET     /department       department.list
        GET     /department/{id}  department.read
        POST    /department       department.create
        PUT     /department/{id}  department.replace
        PATCH   /department/{id}  department.update
        DELETE  /department/{id}  department.delete
        "
      `)
  })

  it('offers only what is asked for', () => {
    const offers = ['read', 'delete'] as const
    expect(outline(unversioned('flat', resource(department, { offers })))).toMatchInlineSnapshot(`
      "
      GET     /department/{id}  department.read
      DELETE  /department/{id}  department.delete
      "
    `)
    expect(operations(unversioned('flat', resource(department, { offers: [] })))).toEqual([])
  })

  it('keeps the children of a resource that offers nothing itself', () => {
    const parent = resource(user, { offers: [], children: [resource(preference, { offers: ['list'] })] })
    expect(outline(unversioned('nested', parent))).toMatchInlineSnapshot(`
      "
      GET  /user/{userId}/preference  user.preference.list
      "
    `)
  })

  it('shows a noun under another path, and calls its identity after that path', () => {
    const parent = resource(user, {
      path: 'member',
      offers: ['read'],
      children: [resource(preference, { offers: ['read'] })],
    })
    expect(outline(unversioned('nested', parent))).toMatchInlineSnapshot(`
      "
      GET  /member/{id}                        member.read
      GET  /member/{memberId}/preference/{id}  member.preference.read
      "
    `)
  })

  it('writes the field of a lookup in kebab-case, and its parameter as it is', () => {
    const { path, lookup } = find(nested, 'user.lookup.externalID')
    expect(path).toBe('/user/by-external-id/{externalID}')
    expect(lookup).toMatchObject({ name: 'externalID', field: 'externalID', spec: { kind: 'guid', unique: true } })
  })

  it('writes a renamed field of a lookup under the name that is shown', () => {
    const shown = resource(user, { rename: { mailAddress: 'email' }, by: ['mailAddress'], offers: ['read'] })
    const { path, lookup } = find(unversioned('flat', shown), 'user.lookup.mailAddress')
    expect(path).toBe('/user/by-mail-address/{mailAddress}')
    expect(lookup).toMatchObject({ name: 'mailAddress', field: 'email' })
  })

  it('nests lookups as well', () => {
    const child = resource(user, { via: 'department', by: ['email'], offers: ['read'] })
    const { path } = find(
      unversioned('flat', resource(department, { children: [child] })),
      'department.user.lookup.email',
    )
    expect(path).toBe('/department/{departmentId}/user/by-email/{email}')
  })
})

describe('every operation', () => {
  const all = [nested, flat, versioned].flatMap((declared) => operations(declared).map((one) => [one.id, one] as const))

  it.each([nested, flat, versioned])('has an id of its own in its api: $name', (declared) => {
    const ids = operations(declared).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([nested, flat, versioned])('has a method and a path of its own: $name', (declared) => {
    const places = operations(declared).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it.each(all)('has no parameter twice in its path: %s', (_id, { path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(all)('has a level for every noun in its path, and names its parameters as the path does: %s', (_id, one) => {
    const { path, levels, resource: last } = one
    const parents = levels.slice(0, -1)
    const prefix = parents.map(
      (level) => `/${level.resource.options.path ?? level.resource.noun.name}/{${level.parameter}}`,
    )
    expect(path).toContain(`${prefix.join('')}/${last.noun.name}`)
    expect(levels.at(-1)?.resource).toBe(last)
    const single = ['read', 'replace', 'update', 'delete', 'link', 'unlink'].includes(one.kind)
    if (single) expect(path.endsWith(`/{${levels.at(-1)?.parameter}}`)).toBe(true)
  })

  it.each(all)('answers 201 where it creates and 200 elsewhere, with the right method: %s', (_id, one) => {
    const methods = {
      list: 'GET',
      read: 'GET',
      lookup: 'GET',
      create: 'POST',
      replace: 'PUT',
      update: 'PATCH',
      delete: 'DELETE',
      link: 'PUT',
      unlink: 'DELETE',
      custom: undefined,
    }
    expect(one.method).toBe(methods[one.kind])
    expect(one.status).toBe(one.kind === 'create' ? 201 : 200)
  })

  it.each(all)('has a list, a body, a lookup and a link where its kind says so: %s', (_id, one) => {
    expect(one.list !== undefined).toBe(one.kind === 'list')
    expect(one.body !== undefined).toBe(['create', 'replace', 'update'].includes(one.kind))
    expect(one.lookup !== undefined).toBe(one.kind === 'lookup')
    expect(one.link !== undefined).toBe(one.kind === 'link' || one.kind === 'unlink')
    expect(one.shape.name === 'complete').toBe(one.kind !== 'list')
  })
})

describe('a path', () => {
  const paths = (declared: AnyApi) => operations(declared).map(({ path }) => path)

  it('tells two levels apart that are both called id, at any depth', () => {
    expect(paths(nested)).toContain('/user/{userId}/preference/{preferenceId}/revision/{id}')
  })

  it('tells a noun from itself below itself', () => {
    const report = resource(user, { path: 'report', via: 'supervisor', offers: ['read'] })
    expect(paths(unversioned('flat', resource(user, { offers: ['read'], children: [report] })))).toEqual([
      '/user/{id}',
      '/user/{userId}/report/{id}',
    ])
  })

  it('calls an identity by the name it is given', () => {
    expect(paths(flat)).toContain('/v1/application/{applicationRef}/user/{userRef}/role/{roleRef}')
  })

  it('tells two levels apart whose identity has one and the same name other than id', () => {
    const box = noun('box', { guid: identity('guid') })
    const lid = noun('lid', { guid: identity('guid'), box: reference(() => box) })
    const lids = resource(lid, { offers: ['read'] })
    expect(paths(unversioned('flat', resource(box, { offers: ['read'], children: [lids] })))).toEqual([
      '/box/{guid}',
      '/box/{boxGuid}/lid/{guid}',
    ])
  })

  it('tells a noun whose identity is a Ref from itself below itself', () => {
    const part = noun('part', { partRef: identity(), whole: reference(() => part).nullable() })
    const inner = resource(part, { path: 'component', via: 'whole', offers: ['read'] })
    expect(paths(unversioned('flat', resource(part, { offers: [], children: [inner] })))).toEqual([
      '/part/{partRef}/component/{componentPartRef}',
    ])
  })

  it('tells two levels apart that are given one and the same name', () => {
    const reports = resource(user, { path: 'report', via: 'supervisor', parameter: 'userRef', offers: ['read'] })
    const users = resource(user, { parameter: 'userRef', offers: ['read'], children: [reports] })
    expect(paths(unversioned('flat', users))).toEqual(['/user/{userRef}', '/user/{userRef}/report/{reportUserRef}'])
  })

  it('tells the value of a lookup from the identity of a parent', () => {
    const owner = noun('owner', { id: identity(), applicationRef: reference(() => application).unique() })
    const owners = resource(owner, { by: ['applicationRef'], offers: ['read'] })
    for (const path of paths(unversioned('flat', resource(application, { children: [owners] })))) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(new Set(names).size, path).toBe(names.length)
    }
  })
})

describe('an id', () => {
  it('is unique where two versions of one noun stand side by side', () => {
    const both = unversioned('flat', resource(department, { version: 1 }), resource(department, { version: 2 }))
    const ids = operations(both).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('v1.department.list')
    expect(ids).toContain('v2.department.list')
  })

  it('names no version where it is that of the api', () => {
    expect(operations(flat).map(({ id }) => id)).toContain('role.action.link')
  })
})

describe('the location of a new record', () => {
  it('is the path at which it is read', () => {
    expect(find(nested, 'user.preference.revision.create').location).toBe(
      '/user/{userId}/preference/{preferenceId}/revision/{id}',
    )
    expect(find(flat, 'role.create').location).toBe('/v1/role/{roleRef}')
    expect(operations(flat).filter(({ kind, location }) => (kind === 'create') !== (location !== undefined))).toEqual(
      [],
    )
  })

  it('has the version of the read, which may be another', () => {
    expect(find(versioned, 'application.create').location).toBe('/v4/application/{applicationRef}')
  })

  it('is where it would be read, where it cannot be', () => {
    expect(find(flat, 'action.create').location).toBe('/v1/action/{actionRef}')
  })
})

describe('a body', () => {
  it('below a parent takes the reference to it from the path', () => {
    const { body, levels } = find(nested, 'user.preference.create')
    expect(body?.properties.map(({ name }) => name)).toEqual(['type', 'value'])
    expect(body?.fromPath).toEqual([
      { property: { name: 'user', field: 'user', spec: preference.fields.user.spec }, level: 0 },
    ])
    expect(levels.map(({ parameter }) => parameter)).toEqual(['userId', 'id'])
  })

  it('at the third level takes every reference to an ancestor from the path', () => {
    const { body } = find(nested, 'user.preference.revision.create')
    expect(body?.properties.map(({ name }) => name)).toEqual(['note'])
    expect(body?.fromPath.map(({ property, level }) => [property.name, level])).toEqual([
      ['author', 0],
      ['preference', 1],
    ])
  })

  it('at the root holds the identifiers of the parents, whatever the form', () => {
    for (const form of ['nested', 'flat'] as const) {
      const { body } = find(unversioned(form, resource(preference)), 'preference.create')
      expect(body?.properties.map(({ name }) => name)).toEqual(['user', 'type', 'value'])
      expect(body?.fromPath).toEqual([])
    }
  })

  it('takes a reference from the path under the name that is shown', () => {
    const child = resource(preference, { rename: { owner: 'user' } })
    const { body } = find(unversioned('nested', resource(user, { children: [child] })), 'user.preference.replace')
    expect(body?.fromPath.map(({ property }) => [property.name, property.field])).toEqual([['owner', 'user']])
    expect(body?.properties.map(({ name }) => name)).toEqual(['type', 'value'])
  })

  it('takes the reference that relates a child to its parent, and leaves another to the same noun in the body', () => {
    const letter = noun('letter', { id: identity(), sender: reference(() => user), receiver: reference(() => user) })
    const child = resource(letter, { via: 'receiver' })
    const { body } = find(unversioned('nested', resource(user, { children: [child] })), 'user.letter.create')
    expect(body?.fromPath.map(({ property }) => property.name)).toEqual(['receiver'])
    expect(body?.properties.map(({ name }) => name)).toEqual(['sender'])
  })

  it('ignores what the server fills in, and knows the identity apart', () => {
    const { body } = find(nested, 'user.replace')
    expect(body?.properties.map(({ name }) => name)).toEqual([
      'firstName',
      'lastName',
      'externalID',
      'email',
      'status',
      'department',
      'supervisor',
    ])
    expect(body?.ignored).toEqual(['created'])
    expect(body?.identity).toEqual({ name: 'id', field: 'id', spec: user.fields.id.spec })
  })

  it('shows no label: a form sends identities', () => {
    const { body, shape } = find(nested, 'user.update')
    for (const property of [...shape.properties, ...(body?.properties ?? [])])
      expect(property).not.toHaveProperty('label')
  })

  it('knows that a reference holds a guid', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const { body } = find(unversioned('flat', resource(box)), 'box.create')
    expect(body?.properties[0]?.spec.guid).toBe(true)
  })

  it('knows that the reference from the path holds a guid', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const { body } = find(unversioned('nested', resource(owner, { children: [resource(box)] })), 'owner.box.create')
    expect(body?.fromPath[0]?.property.spec.guid).toBe(true)
  })

  it('takes nothing from the path that only the server may fill in', () => {
    const note = noun('note', { id: identity(), createdBy: createdBy(() => user) })
    const made = unversioned('nested', resource(user, { offers: [], children: [resource(note, { via: 'createdBy' })] }))
    expect(operations(made).filter(({ body }) => body)).toEqual([])
  })
})

describe('a level', () => {
  it('knows what relates its record to the ones above it', () => {
    const { levels } = find(nested, 'user.preference.revision.list')
    expect(levels.map(({ relations }) => relations)).toEqual([
      [],
      [{ level: 0, steps: [{ kind: 'reference', from: preference, field: 'user', to: user }] }],
      [
        { level: 0, steps: [{ kind: 'reference', from: revision, field: 'author', to: user }] },
        { level: 1, steps: [{ kind: 'reference', from: revision, field: 'preference', to: preference }] },
      ],
    ])
  })

  it('follows a row of links and references, from the record to its parent', () => {
    const { levels } = find(flat, 'application.user.action.list')
    expect(levels.map(({ relations }) => relations)).toEqual([
      [],
      [
        {
          level: 0,
          steps: [
            { kind: 'link', from: user, link: userRole, to: role },
            { kind: 'reference', from: role, field: 'applicationRef', to: application },
          ],
        },
      ],
      [
        { level: 0, steps: [{ kind: 'reference', from: action, field: 'applicationRef', to: application }] },
        {
          level: 1,
          steps: [
            { kind: 'link', from: action, link: roleAction, to: role },
            { kind: 'link', from: role, link: userRole, to: user },
          ],
        },
      ],
    ])
  })

  it('reaches the parent alone where nothing points further up', () => {
    const child = resource(preference, { children: [resource(revision, { via: 'preference' })] })
    const declared = unversioned('flat', resource(department, { children: [resource(user, { children: [child] })] }))
    const { levels } = find(declared, 'department.user.preference.revision.list')
    expect(levels.map(({ relations }) => relations.map(({ level }) => level))).toEqual([[], [0], [1], [1, 2]])
  })
})

describe('a link', () => {
  it('is its own URL from both sides, in both forms', () => {
    for (const form of ['nested', 'flat'] as const) {
      const declared = unversioned(
        form,
        resource(user, { offers: [], children: [resource(role, { via: userRole, offers: ['link'] })] }),
        resource(role, {
          offers: [],
          children: [resource(user, { via: userRole, parameter: 'userRef', offers: ['link'] })],
        }),
      )
      expect(
        operations(declared).map(({ method, path, link: { name } = { name: '' } }) => [method, path, name]),
      ).toEqual([
        ['PUT', '/user/{userId}/role/{roleRef}', 'user-role'],
        ['DELETE', '/user/{userId}/role/{roleRef}', 'user-role'],
        ['PUT', '/role/{roleRef}/user/{userRef}', 'user-role'],
        ['DELETE', '/role/{roleRef}/user/{userRef}', 'user-role'],
      ])
    }
  })

  it('is offered directly below a root resource, and further down it is only read', () => {
    const kinds = (start: string) =>
      operations(flat)
        .filter(({ id }) => id.startsWith(start))
        .map(({ kind }) => kind)
    expect(kinds('role.action.')).toEqual(['list', 'read', 'link', 'unlink'])
    expect(kinds('application.role.action.')).toEqual(['list', 'read'])
  })
})

describe('a list', () => {
  const parameter = (declared: AnyApi, id: string, name: string) =>
    find(declared, id).list?.parameters.find((one) => one.name === name)

  it('takes the page size of its resource, else that of the api, else 10 and at most 1,000', () => {
    const sizes = (id: string, declared: AnyApi) => parameter(declared, id, 'pageSize')
    expect(sizes('user.preference.revision.list', nested)).toMatchObject({ default: 5, maximum: 50 })
    expect(sizes('role.list', flat)).toMatchObject({ default: 20, maximum: 200 })
    expect(sizes('user.list', nested)).toMatchObject({ default: 10, maximum: 1000 })
  })

  it('never has a default page size above the maximum', () => {
    const declared = api('small', {
      versioning: 'per-noun',
      writes: 'flat',
      pageSize: { default: 100, maximum: 500 },
      resources: [resource(department, { pageSize: { maximum: 50 } })],
    })
    expect(parameter(declared, 'department.list', 'pageSize')).toMatchObject({ default: 50, maximum: 50 })
  })

  it('has the same parameters in every variant', () => {
    const [list, summary, detail] = ['list', 'summary', 'detail'].map((name) => find(nested, `user.${name}`).list)
    expect(summary).toEqual(list)
    expect(detail).toEqual(list)
  })

  it('filters by every property of the complete shape, a reference by its identity', () => {
    expect(parameter(nested, 'user.list', 'department')).toEqual({
      kind: 'equal',
      name: 'department',
      spec: user.fields.department.spec,
      fields: ['department'],
      maxValues: 1000,
    })
    expect(parameter(nested, 'user.list', 'lastUpdated')).toBeUndefined()
  })

  it('filters and sorts by the stored field of a renamed property', () => {
    expect(parameter(flat, 'user.list', 'createdDate')).toMatchObject({ kind: 'equal', fields: ['created'] })
    expect(parameter(flat, 'user.list', 'created')).toBeUndefined()
    expect(parameter(flat, 'user.list', 'sort')).toEqual({
      kind: 'sort',
      name: 'sort',
      fields: new Map([
        ['id', 'id'],
        ['firstName', 'firstName'],
        ['createdDate', 'created'],
      ]),
      maxValues: 3,
    })
  })

  it('has two bounds for a range, over all of its fields', () => {
    const bound = {
      kind: 'range',
      range: 'createdOrUpdated',
      spec: user.fields.created.spec,
      fields: ['created', 'lastUpdated'],
    }
    expect(parameter(nested, 'user.list', 'createdOrUpdatedFrom')).toEqual({
      ...bound,
      name: 'createdOrUpdatedFrom',
      bound: 'from',
    })
    expect(parameter(nested, 'user.list', 'createdOrUpdatedTo')).toEqual({
      ...bound,
      name: 'createdOrUpdatedTo',
      bound: 'to',
    })
  })

  it('has default values where the resource gives them', () => {
    expect(parameter(nested, 'user.list', 'status')).toMatchObject({ default: ['ACTIVE'] })
    const several = resource(user, { defaultFilter: { status: ['ACTIVE', 'SUSPENDED'], supervisor: null } })
    expect(parameter(unversioned('flat', several), 'user.list', 'status')).toMatchObject({
      default: ['ACTIVE', 'SUSPENDED'],
    })
    expect(parameter(unversioned('flat', several), 'user.list', 'supervisor')).toMatchObject({ default: [null] })
  })

  it('has its default values in the form in which they are stored', () => {
    const key = noun('key', { id: identity(), code: guid() })
    const declared = unversioned(
      'flat',
      resource(key, { defaultFilter: { code: '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10' } }),
    )
    expect(parameter(declared, 'key.list', 'code')).toMatchObject({ default: ['0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'] })
  })

  it('includes records by their identity', () => {
    expect(parameter(nested, 'user.list', 'include')).toEqual({
      kind: 'include',
      name: 'include',
      spec: user.fields.id.spec,
      maxValues: 1000,
    })
  })

  it('takes no page parameters where it is a plain array', () => {
    const { list } = find(nested, 'user.preference.list')
    expect(list?.isPaginated).toBe(false)
    expect(list?.parameters.map(({ name }) => name)).toEqual(['sort', 'include', 'id', 'type', 'value'])
  })

  it('shows a reference by the label of its target, but for names in Ref and targets without one', () => {
    const label = (declared: AnyApi, id: string, name: string) =>
      find(declared, id).shape.properties.find((property) => property.name === name)?.label
    expect(label(nested, 'user.detail', 'department')).toEqual({ noun: department, fields: ['name'] })
    expect(label(nested, 'user.detail', 'supervisor')).toEqual({ noun: user, fields: ['firstName', 'lastName'] })
    expect(label(nested, 'user.preference.revision.list', 'preference')).toBeUndefined()
    expect(label(flat, 'role.list', 'applicationRef')).toBeUndefined()
    expect(label(nested, 'user.read', 'department')).toBeUndefined()
  })

  it('shows by their label exactly the references that display names', () => {
    const shown = resource(user, { display: ['supervisor'] })
    const shapes = find(unversioned('flat', shown), 'user.list').shape.properties
    expect(shapes.filter(({ label }) => label).map(({ name }) => name)).toEqual(['supervisor'])
    const none = find(unversioned('flat', resource(user, { display: [] })), 'user.list').shape.properties
    expect(none.filter(({ label }) => label)).toEqual([])
    const ref = find(unversioned('flat', resource(role, { display: ['applicationRef'] })), 'role.list').shape.properties
    expect(ref.filter(({ label }) => label).map(({ name }) => name)).toEqual(['applicationRef'])
  })
})

describe('the problems of an operation', () => {
  const body = [
    'malformed-json',
    'invalid-body',
    'unsupported-media-type',
    'body-too-large',
    'identity-mismatch',
    'value-taken',
    'reference-not-found',
    'rule-broken',
  ]

  it.each([
    [
      'user.list',
      nested,
      [
        'unknown-parameter',
        'invalid-parameter',
        'list-too-large',
        'body-not-allowed',
        'too-expensive',
        'precondition-failed',
      ],
    ],
    [
      'user.preference.list',
      nested,
      [
        ...['unknown-parameter', 'invalid-parameter', 'list-too-large', 'body-not-allowed', 'too-expensive'],
        'record-not-found',
        'precondition-failed',
      ],
    ],
    ['user.read', nested, ['unknown-parameter', 'body-not-allowed', 'record-not-found', 'precondition-failed']],
    ['user.lookup.email', nested, ['unknown-parameter', 'body-not-allowed', 'record-not-found', 'precondition-failed']],
    ['department.create', nested, ['unknown-parameter', ...body, 'invalid-header', 'idempotency-key-reused']],
    [
      'user.preference.create',
      nested,
      ['unknown-parameter', 'record-not-found', ...body, 'invalid-header', 'idempotency-key-reused'],
    ],
    [
      'user.replace',
      nested,
      ['unknown-parameter', 'record-not-found', ...body, 'transition-not-allowed', 'precondition-failed'],
    ],
    [
      'user.preference.revision.update',
      nested,
      [
        'unknown-parameter',
        'record-not-found',
        ...body,
        'transition-not-allowed',
        'precondition-failed',
        'precondition-required',
      ],
    ],
    [
      'user.delete',
      nested,
      ['unknown-parameter', 'record-not-found', 'precondition-failed', 'still-referenced', 'body-too-large'],
    ],
    [
      'role.action.link',
      flat,
      ['unknown-parameter', 'record-not-found', 'precondition-failed', 'rule-broken', 'body-too-large'],
    ],
    ['role.action.unlink', flat, ['unknown-parameter', 'record-not-found', 'precondition-failed', 'body-too-large']],
  ])('are listed: %s', (id, declared, codes) => {
    expect(find(declared, id).problems).toEqual(codes)
  })

  it('want If-Match for changes of one record, and only where it is required', () => {
    const conditional = operations(nested).filter(({ isConditional }) => isConditional)
    expect(conditional.map(({ id }) => id)).toEqual([
      'user.preference.revision.replace',
      'user.preference.revision.update',
      'user.preference.revision.delete',
    ])
  })
})
