import { describe, expect, it } from 'vitest'
import {
  application,
  department,
  flat,
  nested,
  operationById,
  preference,
  unversioned,
  user,
  versioned,
} from '../../test/access-api.ts'
import type { AnyApi } from '../api/api.ts'
import { identity, reference } from '../field/kinds.ts'
import { createdBy } from '../field/managed-kinds.ts'
import { noun } from '../noun/noun.ts'
import { resource } from '../resource/resource.ts'
import { operations } from './table.ts'

describe('every operation', () => {
  const allOperations = [nested, flat, versioned].flatMap((definition) =>
    operations(definition).map((operation) => [operation.id, operation] as const),
  )

  it.each([nested, flat, versioned])('has a unique ID in its api: $name', (definition) => {
    const ids = operations(definition).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([nested, flat, versioned])('has a unique method and path: $name', (definition) => {
    const routes = operations(definition).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it.each(allOperations)('has no parameter twice in its path: %s', (_id, { path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(allOperations)(
    'has a level for every noun in its path, and names its parameters as the path does: %s',
    (_id, operation) => {
      const { path, levels, resource: last } = operation
      const parents = levels.slice(0, -1)
      const prefix = parents.map(
        (level) => `/${level.resource.options.path ?? level.resource.noun.name}/{${level.parameter}}`,
      )
      expect(path).toContain(`${prefix.join('')}/${last.noun.name}`)
      expect(levels.at(-1)?.resource).toBe(last)
      const single = ['read', 'replace', 'update', 'delete', 'link', 'unlink'].includes(operation.kind)
      if (single) expect(path.endsWith(`/{${levels.at(-1)?.parameter}}`)).toBe(true)
    },
  )

  it.each(allOperations)(
    'responds with 201 to a create and 200 otherwise, with the right method: %s',
    (_id, operation) => {
      const methods = {
        list: 'GET',
        read: 'GET',
        lookup: 'GET',
        create: 'POST',
        replace: 'PUT',
        update: 'PATCH',
        delete: 'DELETE',
        restore: 'POST',
        erase: 'POST',
        link: 'PUT',
        unlink: 'DELETE',
        custom: undefined,
      }
      expect(operation.method).toBe(methods[operation.kind])
      expect(operation.status).toBe(['create', 'restore'].includes(operation.kind) ? 201 : 200)
    },
  )

  it.each(allOperations)('has a list, a body, a lookup and a link according to its kind: %s', (_id, operation) => {
    expect(operation.list !== undefined).toBe(operation.kind === 'list')
    expect(operation.body !== undefined).toBe(['create', 'replace', 'update'].includes(operation.kind))
    expect(operation.lookup !== undefined).toBe(operation.kind === 'lookup')
    expect(operation.link !== undefined).toBe(operation.kind === 'link' || operation.kind === 'unlink')
    expect(operation.shape.name === 'complete').toBe(operation.kind !== 'list')
  })
})

describe('a path', () => {
  const paths = (definition: AnyApi) => operations(definition).map(({ path }) => path)

  it('distinguishes two levels with an identity named id, at any depth', () => {
    expect(paths(nested)).toContain('/user/{userId}/preference/{preferenceId}/revision/{id}')
  })

  it('distinguishes a noun from the same noun below itself', () => {
    const report = resource(user, { path: 'report', via: 'supervisor', offers: ['read'] })
    expect(paths(unversioned('flat', resource(user, { offers: ['read'], children: [report] })))).toEqual([
      '/user/{id}',
      '/user/{userId}/report/{id}',
    ])
  })

  it('uses the declared name of an identity', () => {
    expect(paths(flat)).toContain('/v1/application/{applicationRef}/user/{userRef}/role/{roleRef}')
  })

  it('distinguishes two levels whose identities have the same name other than id', () => {
    const box = noun('box', { guid: identity('guid') })
    const lid = noun('lid', { guid: identity('guid'), box: reference(() => box) })
    const lids = resource(lid, { offers: ['read'] })
    expect(paths(unversioned('flat', resource(box, { offers: ['read'], children: [lids] })))).toEqual([
      '/box/{guid}',
      '/box/{boxGuid}/lid/{guid}',
    ])
  })

  it('distinguishes a noun with a Ref identity from the same noun below itself', () => {
    const part = noun('part', { partRef: identity(), whole: reference(() => part).nullable() })
    const inner = resource(part, { path: 'component', via: 'whole', offers: ['read'] })
    expect(paths(unversioned('flat', resource(part, { offers: [], children: [inner] })))).toEqual([
      '/part/{partRef}/component/{componentPartRef}',
    ])
  })

  it('distinguishes two levels with the same declared name', () => {
    const reports = resource(user, { path: 'report', via: 'supervisor', parameter: 'userRef', offers: ['read'] })
    const users = resource(user, { parameter: 'userRef', offers: ['read'], children: [reports] })
    expect(paths(unversioned('flat', users))).toEqual(['/user/{userRef}', '/user/{userRef}/report/{reportUserRef}'])
  })

  it('distinguishes the value of a lookup from the identity of a parent', () => {
    const owner = noun('owner', { id: identity(), applicationRef: reference(() => application).unique() })
    const owners = resource(owner, { by: ['applicationRef'], offers: ['read'] })
    for (const path of paths(unversioned('flat', resource(application, { children: [owners] })))) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(new Set(names).size, path).toBe(names.length)
    }
  })
})

describe('an ID', () => {
  it('is unique if a noun has two versions', () => {
    const twoVersions = unversioned('flat', resource(department, { version: 1 }), resource(department, { version: 2 }))
    const ids = operations(twoVersions).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('v1.department.list')
    expect(ids).toContain('v2.department.list')
  })

  it('has no version if the api has the same version', () => {
    expect(operations(flat).map(({ id }) => id)).toContain('role.action.link')
  })
})

describe('the location of a new record', () => {
  it('is the path of its read', () => {
    expect(operationById(nested, 'user.preference.revision.create').location).toBe(
      '/user/{userId}/preference/{preferenceId}/revision/{id}',
    )
    expect(operationById(flat, 'role.create').location).toBe('/v1/role/{roleRef}')
    expect(operations(flat).filter(({ kind, location }) => (kind === 'create') !== (location !== undefined))).toEqual(
      [],
    )
  })

  it('has the version of the read, which may differ', () => {
    expect(operationById(versioned, 'application.create').location).toBe('/v4/application/{applicationRef}')
  })

  it('is the path of a read even if the read is not offered', () => {
    expect(operationById(flat, 'action.create').location).toBe('/v1/action/{actionRef}')
  })
})

describe('a body', () => {
  it('below a parent takes the reference to it from the path', () => {
    const { body, levels } = operationById(nested, 'user.preference.create')
    expect(body?.properties.map(({ name }) => name)).toEqual(['type', 'value'])
    expect(body?.fromPath).toEqual([
      { property: { name: 'user', field: 'user', spec: preference.fields.user.spec }, level: 0 },
    ])
    expect(levels.map(({ parameter }) => parameter)).toEqual(['userId', 'id'])
  })

  it('at the third level takes every reference to an ancestor from the path', () => {
    const { body } = operationById(nested, 'user.preference.revision.create')
    expect(body?.properties.map(({ name }) => name)).toEqual(['note'])
    expect(body?.fromPath.map(({ property, level }) => [property.name, level])).toEqual([
      ['author', 0],
      ['preference', 1],
    ])
  })

  it('at the root has the identifiers of the parents in both forms of writes', () => {
    for (const form of ['nested', 'flat'] as const) {
      const { body } = operationById(unversioned(form, resource(preference)), 'preference.create')
      expect(body?.properties.map(({ name }) => name)).toEqual(['user', 'type', 'value'])
      expect(body?.fromPath).toEqual([])
    }
  })

  it('takes a reference from the path under its public name', () => {
    const child = resource(preference, { rename: { owner: 'user' } })
    const { body } = operationById(
      unversioned('nested', resource(user, { children: [child] })),
      'user.preference.replace',
    )
    expect(body?.fromPath.map(({ property }) => [property.name, property.field])).toEqual([['owner', 'user']])
    expect(body?.properties.map(({ name }) => name)).toEqual(['type', 'value'])
  })

  it('takes the relation to the parent from the path, and keeps another reference to the same noun in the body', () => {
    const letter = noun('letter', { id: identity(), sender: reference(() => user), receiver: reference(() => user) })
    const child = resource(letter, { via: 'receiver' })
    const { body } = operationById(unversioned('nested', resource(user, { children: [child] })), 'user.letter.create')
    expect(body?.fromPath.map(({ property }) => property.name)).toEqual(['receiver'])
    expect(body?.properties.map(({ name }) => name)).toEqual(['sender'])
  })

  it('ignores fields that the server sets, and handles the identity separately', () => {
    const { body } = operationById(nested, 'user.replace')
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

  it('has identities instead of labels', () => {
    const { body, shape } = operationById(nested, 'user.update')
    for (const property of [...shape.properties, ...(body?.properties ?? [])])
      expect(property).not.toHaveProperty('label')
  })

  it('has a guid for a reference to a record with a guid', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const { body } = operationById(unversioned('flat', resource(box)), 'box.create')
    expect(body?.properties[0]?.spec.guid).toBe(true)
  })

  it('has a guid for a reference from the path', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const { body } = operationById(
      unversioned('nested', resource(owner, { children: [resource(box)] })),
      'owner.box.create',
    )
    expect(body?.fromPath[0]?.property.spec.guid).toBe(true)
  })

  it('does not take a field from the path that only the server sets', () => {
    const note = noun('note', { id: identity(), createdBy: createdBy(() => user) })
    const definition = unversioned(
      'nested',
      resource(user, { offers: [], children: [resource(note, { via: 'createdBy' })] }),
    )
    expect(operations(definition).filter(({ body }) => body)).toEqual([])
  })
})
