import { describe, expect, it } from 'vitest'
import {
  action,
  application,
  department,
  flat,
  nested,
  operationById,
  preference,
  revision,
  role,
  roleAction,
  unversioned,
  user,
  userRole,
} from '../../test/access-api.ts'
import { type AnyApi, api } from '../api/api.ts'
import { guid, identity } from '../field/kinds.ts'
import { noun } from '../noun/noun.ts'
import { resource } from '../resource/resource.ts'
import { operations } from './table.ts'

describe('a level', () => {
  it('has the relations of its record to its ancestors', () => {
    const { levels } = operationById(nested, 'user.preference.revision.list')
    expect(levels.map(({ relations }) => relations)).toEqual([
      [],
      [{ level: 0, steps: [{ kind: 'reference', from: preference, field: 'user', to: user }] }],
      [
        { level: 0, steps: [{ kind: 'reference', from: revision, field: 'author', to: user }] },
        { level: 1, steps: [{ kind: 'reference', from: revision, field: 'preference', to: preference }] },
      ],
    ])
  })

  it('follows several links and references, from the record to its parent', () => {
    const { levels } = operationById(flat, 'application.user.action.list')
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

  it('is related only to the parent if nothing references other ancestors', () => {
    const child = resource(preference, { children: [resource(revision, { via: 'preference' })] })
    const definition = unversioned('flat', resource(department, { children: [resource(user, { children: [child] })] }))
    const { levels } = operationById(definition, 'department.user.preference.revision.list')
    expect(levels.map(({ relations }) => relations.map(({ level }) => level))).toEqual([[], [0], [1], [1, 2]])
  })
})

describe('a link', () => {
  it('has its own URL from both sides, in both forms of writes', () => {
    for (const form of ['nested', 'flat'] as const) {
      const definition = unversioned(
        form,
        resource(user, { offers: [], children: [resource(role, { via: userRole, offers: ['link'] })] }),
        resource(role, {
          offers: [],
          children: [resource(user, { via: userRole, parameter: 'userRef', offers: ['link'] })],
        }),
      )
      expect(
        operations(definition).map(({ method, path, link: { name } = { name: '' } }) => [method, path, name]),
      ).toEqual([
        ['PUT', '/user/{userId}/role/{roleRef}', 'user-role'],
        ['DELETE', '/user/{userId}/role/{roleRef}', 'user-role'],
        ['PUT', '/role/{roleRef}/user/{userRef}', 'user-role'],
        ['DELETE', '/role/{roleRef}/user/{userRef}', 'user-role'],
      ])
    }
  })

  it('can be written directly below a root resource, and only read at deeper levels', () => {
    const kinds = (start: string) =>
      operations(flat)
        .filter(({ id }) => id.startsWith(start))
        .map(({ kind }) => kind)
    expect(kinds('role.action.')).toEqual(['list', 'read', 'link', 'unlink'])
    expect(kinds('application.role.action.')).toEqual(['list', 'read'])
  })
})

describe('a list', () => {
  const parameter = (definition: AnyApi, id: string, name: string) =>
    operationById(definition, id).list?.parameters.find((candidate) => candidate.name === name)

  it('has the page size of its resource, or of the api, or 10 and at most 1,000', () => {
    const sizes = (id: string, definition: AnyApi) => parameter(definition, id, 'pageSize')
    expect(sizes('user.preference.revision.list', nested)).toMatchObject({ default: 5, maximum: 50 })
    expect(sizes('role.list', flat)).toMatchObject({ default: 20, maximum: 200 })
    expect(sizes('user.list', nested)).toMatchObject({ default: 10, maximum: 1000 })
  })

  it('never has a default page size above the maximum', () => {
    const definition = api('small', {
      versioning: 'per-noun',
      writes: 'flat',
      pageSize: { default: 100, maximum: 500 },
      resources: [resource(department, { pageSize: { maximum: 50 } })],
    })
    expect(parameter(definition, 'department.list', 'pageSize')).toMatchObject({ default: 50, maximum: 50 })
  })

  it('has the same parameters in every variant', () => {
    const [list, summary, detail] = ['list', 'summary', 'detail'].map(
      (name) => operationById(nested, `user.${name}`).list,
    )
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

  it('has two parameters for a range, over all of its fields', () => {
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

  it('has the default values of the resource', () => {
    expect(parameter(nested, 'user.list', 'status')).toMatchObject({ default: ['ACTIVE'] })
    const several = resource(user, { defaultFilter: { status: ['ACTIVE', 'SUSPENDED'], supervisor: null } })
    expect(parameter(unversioned('flat', several), 'user.list', 'status')).toMatchObject({
      default: ['ACTIVE', 'SUSPENDED'],
    })
    expect(parameter(unversioned('flat', several), 'user.list', 'supervisor')).toMatchObject({ default: [null] })
  })

  it('has its default values in their stored form', () => {
    const key = noun('key', { id: identity(), code: guid() })
    const definition = unversioned(
      'flat',
      resource(key, { defaultFilter: { code: '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10' } }),
    )
    expect(parameter(definition, 'key.list', 'code')).toMatchObject({
      default: ['0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'],
    })
  })

  it('includes records by their identity', () => {
    expect(parameter(nested, 'user.list', 'include')).toEqual({
      kind: 'include',
      name: 'include',
      spec: user.fields.id.spec,
      maxValues: 1000,
    })
  })

  it('has no page parameters if it is a plain array', () => {
    const { list } = operationById(nested, 'user.preference.list')
    expect(list?.isPaginated).toBe(false)
    expect(list?.parameters.map(({ name }) => name)).toEqual(['sort', 'include', 'id', 'type', 'value'])
  })

  it('shows the label of a referenced record, except for names in Ref and targets without a label', () => {
    const label = (definition: AnyApi, id: string, name: string) =>
      operationById(definition, id).shape.properties.find((property) => property.name === name)?.label
    expect(label(nested, 'user.detail', 'department')).toEqual({ noun: department, fields: ['name'] })
    expect(label(nested, 'user.detail', 'supervisor')).toEqual({ noun: user, fields: ['firstName', 'lastName'] })
    expect(label(nested, 'user.preference.revision.list', 'preference')).toBeUndefined()
    expect(label(flat, 'role.list', 'applicationRef')).toBeUndefined()
    expect(label(nested, 'user.read', 'department')).toBeUndefined()
  })

  it('shows the label only of the references in display', () => {
    const userResource = resource(user, { display: ['supervisor'] })
    const shapes = operationById(unversioned('flat', userResource), 'user.list').shape.properties
    expect(shapes.filter(({ label }) => label).map(({ name }) => name)).toEqual(['supervisor'])
    const none = operationById(unversioned('flat', resource(user, { display: [] })), 'user.list').shape.properties
    expect(none.filter(({ label }) => label)).toEqual([])
    const ref = operationById(unversioned('flat', resource(role, { display: ['applicationRef'] })), 'role.list').shape
      .properties
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
    [
      'role.action.unlink',
      flat,
      ['unknown-parameter', 'record-not-found', 'precondition-failed', 'rule-broken', 'body-too-large'],
    ],
  ])('are listed: %s', (id, definition, codes) => {
    expect(operationById(definition, id).problems).toEqual(codes)
  })

  it('include a missing If-Match for changes of one record only if it is required', () => {
    const conditional = operations(nested).filter(({ requiresIfMatch }) => requiresIfMatch)
    expect(conditional.map(({ id }) => id)).toEqual([
      'user.preference.revision.replace',
      'user.preference.revision.update',
      'user.preference.revision.delete',
    ])
  })
})
