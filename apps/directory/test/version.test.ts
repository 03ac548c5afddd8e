// Versions: the prefix of a path, an api versioned as a whole, and one versioned noun by noun.
import { api, identity, noun, operations, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { access, directory } from '../src/apis.ts'
import { expectProblem, openFresh, openOnce, requestsTo } from './service.ts'

const { get } = openOnce(5)
const thing = noun('thing', { id: identity(), label: text() })
const part = noun('part', { id: identity(), label: text() })

async function withService(
  apis: Parameters<typeof service>[0]['apis'],
  use: (requests: ReturnType<typeof requestsTo>) => Promise<void>,
) {
  const app = await openFresh(service({ name: 'things', apis }))
  try {
    await use(requestsTo(() => app))
  } finally {
    await app.close()
  }
}

describe('versions', () => {
  it('spec 9 rule 1: the version is the first segment of the path', async () => {
    for (const { path } of operations(access)) expect(path).toMatch(/^\/v1\//)
    for (const { path } of operations(directory)) expect(path).not.toMatch(/^\/v\d/)
    expect((await get('/v1/role/1')).status).toBe(200)
    for (const url of ['/role/1', '/v2/role/1', '/v01/role/1', '/V1/role/1', '/1/role/1']) {
      expectProblem(await get(url), 'path-not-found', url)
    }
  })

  it('spec 9 rule 2: an api versioned as a whole raises the version of every path at once', () => {
    const next = api('access', { ...access.options, version: 2 })
    expect(operations(next).map(({ path }) => path)).toEqual(
      operations(access).map(({ path }) => path.replace('/v1/', '/v2/')),
    )
  })

  it('spec 9 rule 2: in an api versioned as a whole, a resource cannot have its own version', () => {
    const apiWithOwnVersion = () =>
      api('things', { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(thing, { version: 2 })] })
    expect(apiWithOwnVersion).toThrow('a resource cannot have its own version')
    // @ts-expect-error: the type requires a version.
    const none = () => api('things', { versioning: 'whole', writes: 'flat', resources: [resource(thing)] })
    expect(none).toThrow(/version/)
  })

  it('spec 9 rule 2: a service can serve two versions of an api', async () => {
    const first = api('things', { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(thing)] })
    const second = api('things-next', {
      version: 2,
      versioning: 'whole',
      writes: 'flat',
      resources: [resource(thing, { rename: { name: 'label' } })],
    })
    await withService([first, second], async ({ post, get: read }) => {
      expect((await post('/v1/thing', { label: 'a' })).headers.location).toBe('/v1/thing/1')
      expect((await read('/v2/thing/1')).body).toEqual({ id: 1, name: 'a' })
      expect((await read('/thing/1')).status).toBe(404)
    })
  })

  it('spec 9 rule 3: an application-specific api is versioned noun by noun', async () => {
    const mixed = api('things', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(thing, { version: 2 }), resource(part)],
    })
    await withService([mixed], async ({ get: read }) => {
      expect((await read('/v2/thing')).status).toBe(200)
      expect((await read('/part')).status).toBe(200)
      expect((await read('/thing')).status).toBe(404)
      expect((await read('/v2/part')).status).toBe(404)
    })
  })

  it('spec 9 rule 3: a single operation may have a version', async () => {
    const mixed = api('things', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(thing, { version: { replace: 2 } })],
    })
    await withService([mixed], async ({ post, put, patch }) => {
      expect((await post('/thing', { label: 'a' })).status).toBe(201)
      expect((await put('/v2/thing/1', { label: 'b' })).body).toEqual({ id: 1, label: 'b' })
      expect((await put('/thing/1', { label: 'c' })).status).toBe(405)
      expect((await patch('/v2/thing/1', { label: 'c' })).status).toBe(405)
    })
  })
})
