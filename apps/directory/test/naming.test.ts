// Names of paths, properties and parameters, in the directory and in any declaration.
import { lintApis } from '@nomen/conventions'
import { api, equal, identity, noun, operations, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { access, directory } from '../src/apis.ts'
import { shapes } from './record.ts'
import { expectProblem, openOnce } from './service.ts'

const { get, post } = openOnce()
const table = [...operations(directory), ...operations(access)]

describe('paths', () => {
  it('spec 2.6 rule 1: path segments are singular', async () => {
    const segments = new Set(
      table.flatMap(({ path }) => path.split('/').filter((part) => part && !part.startsWith('{'))),
    )
    expect([...segments].sort()).toEqual([
      'action',
      'application',
      'by-email',
      'by-guid',
      'by-username',
      'change',
      'delivery',
      'department',
      'preference',
      'redelivery',
      'replay',
      'restoration',
      'role',
      'rotation',
      'saved-view',
      'test',
      'user',
      'user-detail',
      'user-summary',
      'v1',
      'webhook',
    ])
    for (const plural of ['/users', '/departments', '/user/1/preferences', '/v1/roles', '/v1/application/1/users']) {
      expectProblem(await get(plural), 'path-not-found', plural)
    }
    expect(() => noun('octopuses', { id: identity() })).toThrow(/octopus/)
  })

  it('spec 2.6 rule 2: path segments are lower kebab-case, even if the property is not', async () => {
    for (const { path } of table) expect(path.replace(/\{\w+\}/g, '{}')).toMatch(/^(\/([a-z0-9]+(-[a-z0-9]+)*|\{\}))+$/)
    const thing = noun('thing', { id: identity(), externalId: text().unique() })
    const things = api('things', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(thing, { by: ['externalId'] })],
    })
    expect(operations(things).map(({ path }) => path)).toContain('/thing/by-external-id/{externalId}')
    expect(() => noun('costCenter', { id: identity() })).toThrow(/kebab/)
    expect(() => noun('Cost', { id: identity() })).toThrow(/kebab/)
    for (const mixed of [
      '/User',
      '/user/by-Email/a@example.com',
      '/user/byEmail/a@example.com',
      '/v1/application/by-Guid/x',
    ]) {
      expectProblem(await get(mixed), 'path-not-found', mixed)
    }
  })

  it('decision path: the service serves exactly the operations of the table', async () => {
    const values: Record<string, string> = { email: 'nobody@example.com', username: 'nobody', guid: 'none' }
    await post('/webhook', { url: 'https://hooks.example.com', status: 'PAUSED' })
    for (const { path, method, list } of table) {
      if (method !== 'GET') continue
      const { status, text: body } = await get(path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1'))
      expect([200, 404], path).toContain(status)
      expect(body, path).not.toContain('path-not-found')
      if (list) expect(status, path).toBe(200)
    }
  })

  it.each(['openapi.json', 'docs', 'console', 'health', 'metrics', 'usage'])(
    'decision reserved: a noun cannot have the path /%s',
    (path) => {
      const take = () => {
        const taker = noun('taker', { id: identity() })
        return api('taken', { versioning: 'per-noun', writes: 'nested', resources: [resource(taker, { path })] })
      }
      expect(take).toThrow(new RegExp(path.replace('.', '\\.')))
    },
  )
})

describe('properties', () => {
  it('spec 2.6 rule 3: no property repeats the name of its noun', async () => {
    for (const {
      shape,
      resource: {
        noun: { name },
      },
    } of table) {
      for (const property of shape.properties) {
        const isIdentifier = property.name === `${name}Ref`
        const isPrefixed = new RegExp(`^${name}[A-Z0-9]`).test(property.name)
        expect(isPrefixed && !isIdentifier, `${name}.${property.name}`).toBe(false)
      }
    }
    for (const name of ['thingID', 'thingLabel', 'thingValue', 'thingCreatedOn']) {
      expect(() => noun('thing', { id: identity(), [name]: text() })).toThrow('repeats the name of the noun')
    }
  })

  it('decision prefix: an identifier may have the name {noun}Ref', () => {
    expect(() => noun('thing', { thingRef: identity(), label: text() })).not.toThrow()
    expect(() => noun('thing', { id: identity(), thingRef: text() })).toThrow('repeats the name of the noun')
  })

  it.each(['pageNumber', 'pageSize', 'include', 'sort', 'search'])(
    'decision reserved: a property cannot have the name %s',
    (name) => {
      expect(() => noun('thing', { id: identity(), [name]: text() })).toThrow(new RegExp(name))
    },
  )

  it('spec 2.6 rule 4: no filter abbreviates a property', () => {
    const { findings } = lintApis([directory, access], 'service.ts')
    expect(findings.filter(({ code }) => code === 'filter-abbreviation')).toEqual([])
    const thing = noun('thing', { id: identity(), description: text() })
    const filters = { desc: equal('description'), dscr: equal('description') }
    const things = api('thing', { versioning: 'per-noun', writes: 'nested', resources: [resource(thing, { filters })] })
    const codes = lintApis([things], 'service.ts').findings.map(({ code }) => code)
    expect(codes).toEqual(['filter-abbreviation', 'filter-abbreviation'])
  })

  it('spec 2.6 rule 4: every property of a single record is a parameter of its list with the same name', () => {
    for (const {
      list,
      resource: {
        noun: { name },
      },
      path,
      changesOf,
    } of table) {
      if (!list || changesOf) continue
      const names = list.parameters.map((parameter) => parameter.name)
      const single = table.find(
        (candidate) => candidate.kind === 'read' && candidate.path.startsWith(path.replace(/-\w+$/, '')),
      )
      expect(single, `${name} at ${path}`).toBeDefined()
      // The contents of history entries may have fields that the caller must not see; a secret is not stored in this form.
      const hidden = name === 'change' ? ['fields', 'before', 'after'] : ['secret']
      for (const property of single?.shape.properties ?? [])
        if (!hidden.includes(property.name)) expect(names).toContain(property.name)
    }
  })

  it('spec 2.6 rule 6: a reference is one property: the label in a list, the ID in a form', () => {
    const owner = noun('owner', { id: identity(), name: text() }, { label: 'name' })
    const thing = noun('thing', { id: identity(), owner: reference(() => owner) })
    const things = api('things', { versioning: 'per-noun', writes: 'nested', resources: [resource(thing)] })
    const shapes = operations(things).map(({ kind, shape }) => [
      kind,
      shape.properties.find(({ name }) => name === 'owner')?.label !== undefined,
    ])
    expect(shapes).toContainEqual(['list', true])
    expect(shapes).toContainEqual(['read', false])
  })

  it('decision directory: every response has exactly the property names of the conventions', () => {
    const names = (id: string, api = 'directory') =>
      table.find((operation) => operation.id === id && operation.api === api)?.shape.properties.map(({ name }) => name)
    expect(names('user.list')).toEqual(shapes.userItem)
    expect(names('user.summary')).toEqual(shapes.userSummary)
    expect(names('user.detail')).toEqual(shapes.user)
    expect(names('user.read')).toEqual(shapes.user)
    expect(names('user.preference.list')).toEqual(shapes.preference)
    expect(names('department.list')).toEqual(shapes.department)
    expect(names('user.list', 'access')).toEqual(shapes.accessUserItem)
    expect(names('user.read', 'access')).toEqual(shapes.accessUser)
    expect(names('application.read', 'access')).toEqual(shapes.application)
    expect(names('role.read', 'access')).toEqual(shapes.role)
    expect(names('action.read', 'access')).toEqual(shapes.action)
  })

  it('decision hidden-field: a resource with POST shows every field without a default', () => {
    const thing = noun('thing', { id: identity(), label: text(), secret: text() })
    const hiding = () =>
      api('things', {
        versioning: 'per-noun',
        writes: 'nested',
        resources: [resource(thing, { complete: ['id', 'label'] })],
      })
    expect(hiding).toThrow(/secret/)
  })
})
