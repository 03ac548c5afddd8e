import { createHash } from 'node:crypto'
import { identity, noun, resource, text } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../src/store/open/store.ts'
import { storeSuite } from './store-suite.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

storeSuite('the store on PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return { open: (model) => openStore(url, model), remove }
})

describe('a unique string on PostgreSQL', () => {
  it('is rejected if it is too long for its index', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const page = noun('page', { id: identity(), name: text().unique() })
    const app = await openService(serviceOf([plainApi(resource(page))]), { database: url })
    const noise = Array.from({ length: 80 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64')).join('')
    expect((await app.send('POST', '/page', { name: noise.slice(0, 2500) })).status).toBe(201)
    for (const [method, path] of [
      ['POST', '/page'],
      ['PATCH', '/page/1'],
    ] as const) {
      const { status, body } = await app.send(method, path, { name: noise })
      expect([status, body.code, body.detail, body.errors[0].pointer]).toEqual([
        422,
        'rule-broken',
        `name is too long: ${noise.length} bytes.`,
        '/name',
      ])
    }
  })
})
