// Names: of paths, properties and parameters, in the directory and in any declaration.
import { api, identity, noun, operations, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { access, directory } from '../src/apis.ts'
import { shapes } from './record.ts'
import { expectProblem, openedOnce } from './service.ts'

const { get } = openedOnce()
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
      'department',
      'preference',
      'role',
      'user',
      'user-detail',
      'user-summary',
      'v1',
    ])
    for (const plural of ['/users', '/departments', '/user/1/preferences', '/v1/roles', '/v1/application/1/users']) {
      expectProblem(await get(plural), 'path-not-found', plural)
    }
    expect(() => noun('octopuses', { id: identity() })).toThrow(/octopus/)
  })

  it('spec 2.6 rule 2: path segments are lower kebab-case, whatever the property is called', async () => {
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

  it('decision path: what the table of operations lists is what is served', async () => {
    const values: Record<string, string> = { email: 'nobody@example.com', username: 'nobody', guid: 'none' }
    for (const { path, method, list } of table) {
      if (method !== 'GET') continue
      const { status, text: given } = await get(path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1'))
      expect([200, 404], path).toContain(status)
      expect(given, path).not.toContain('path-not-found')
      if (list) expect(status, path).toBe(200)
    }
  })

  it.each(['openapi.json', 'docs', 'console', 'health', 'metrics', 'usage'])(
    'decision reserved: no noun takes the path /%s',
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
      expect(() => noun('thing', { id: identity(), [name]: text() })).toThrow(/spec 2\.6 rule 3/)
    }
  })

  it('decision prefix: an identifier may be called {noun}Ref', () => {
    expect(() => noun('thing', { thingRef: identity(), label: text() })).not.toThrow()
    expect(() => noun('thing', { id: identity(), thingRef: text() })).toThrow(/spec 2\.6 rule 3/)
  })

  it.each(['pageNumber', 'pageSize', 'include', 'sort', 'search'])(
    'decision reserved: no property is called %s',
    (name) => {
      expect(() => noun('thing', { id: identity(), [name]: text() })).toThrow(new RegExp(name))
    },
  )

  it('spec 2.6 rule 4: no filter abbreviates a property', () => {
    const thing = noun('thing', { id: identity(), description: text() })
    for (const name of ['desc', 'dscr']) {
      const filters = { [name]: { kind: 'equal', properties: ['description'] } as const }
      expect(() => resource(thing, { filters })).toThrow(/spec 2\.6 rule 4/)
    }
  })

  it('spec 2.6 rule 4: every property of a single record is a parameter of its list, by the same name', () => {
    for (const {
      list,
      resource: {
        noun: { name },
      },
      path,
    } of table) {
      if (!list) continue
      const names = list.parameters.map((parameter) => parameter.name)
      const single = table.find((other) => other.kind === 'read' && other.path.startsWith(path.replace(/-\w+$/, '')))
      expect(single, `${name} at ${path}`).toBeDefined()
      for (const property of single?.shape.properties ?? []) expect(names).toContain(property.name)
    }
  })

  it('spec 2.6 rule 6: a reference is one property, shown by its label in a list and by its id in a form', () => {
    const owner = noun('owner', { id: identity(), name: text() }, { label: 'name' })
    const thing = noun('thing', { id: identity(), owner: reference(() => owner) })
    const things = api('things', { versioning: 'per-noun', writes: 'nested', resources: [resource(thing)] })
    const shown = operations(things).map(({ kind, shape }) => [
      kind,
      shape.properties.find(({ name }) => name === 'owner')?.label !== undefined,
    ])
    expect(shown).toContainEqual(['list', true])
    expect(shown).toContainEqual(['read', false])
  })

  it('decision directory: every answer has exactly the names that the conventions give', () => {
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

  it('decision hidden-field: a resource with POST shows every field that has no default', () => {
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
