import { describe, expect, it } from 'vitest'
import {
  action,
  application,
  department,
  flat,
  nested,
  operationById,
  outline,
  preference,
  table,
  unversioned,
  user,
  versioned,
} from '../../test/access-api.ts'
import { api } from '../api/api.ts'
import { resource } from '../resource/resource.ts'
import { operations } from './table.ts'

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

  it('uses the versions of nouns and single operations, and for children the version of the nearest ancestor', () => {
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

  it('puts the version of the api before paths without their own version', () => {
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

  it('offers every operation at the root by default', () => {
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

  it('offers only the operations in offers', () => {
    const offers = ['read', 'delete'] as const
    expect(outline(unversioned('flat', resource(department, { offers })))).toMatchInlineSnapshot(`
      "
      GET     /department/{id}  department.read
      DELETE  /department/{id}  department.delete
      "
    `)
    expect(operations(unversioned('flat', resource(department, { offers: [] })))).toEqual([])
  })

  it('keeps the children of a resource without operations', () => {
    const parent = resource(user, { offers: [], children: [resource(preference, { offers: ['list'] })] })
    expect(outline(unversioned('nested', parent))).toMatchInlineSnapshot(`
      "
      GET  /user/{userId}/preference  user.preference.list
      "
    `)
  })

  it('names the identity parameter after another path of the noun', () => {
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

  it('writes the field of a lookup in kebab-case, and its parameter unchanged', () => {
    const { path, lookup } = operationById(nested, 'user.lookup.externalID')
    expect(path).toBe('/user/by-external-id/{externalID}')
    expect(lookup).toMatchObject({ name: 'externalID', field: 'externalID', spec: { kind: 'guid', unique: true } })
  })

  it('writes a renamed field of a lookup under its public name', () => {
    const userResource = resource(user, { rename: { mailAddress: 'email' }, by: ['mailAddress'], offers: ['read'] })
    const { path, lookup } = operationById(unversioned('flat', userResource), 'user.lookup.mailAddress')
    expect(path).toBe('/user/by-mail-address/{mailAddress}')
    expect(lookup).toMatchObject({ name: 'mailAddress', field: 'email' })
  })

  it('nests lookups below parents', () => {
    const child = resource(user, { via: 'department', by: ['email'], offers: ['read'] })
    const { path } = operationById(
      unversioned('flat', resource(department, { children: [child] })),
      'department.user.lookup.email',
    )
    expect(path).toBe('/department/{departmentId}/user/by-email/{email}')
  })
})
