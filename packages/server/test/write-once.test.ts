// Fields that are set when a record is created, and never changed by a request.
import { choice, DeclarationError, identity, noun, reference, resource, text } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const member = noun('member', { id: identity(), name: text() })
const loan = noun('loan', {
  id: identity(),
  member: reference(() => member).writeOnce(),
  title: text().writeOnce(),
  remark: text().default(''),
})
const library = plainApi(resource(member), resource(loan))

describe('a field that is written once', () => {
  it('is set by POST and ignored by PATCH and PUT, like other fields that callers cannot change', async () => {
    const { send } = await openService(serviceOf([library]))
    for (const name of ['Ada', 'Bea']) await send('POST', '/member', { name })
    const created = await send('POST', '/loan', { member: 1, title: 'Emma' })
    expect([created.status, created.body]).toMatchObject([201, { member: 1, title: 'Emma' }])
    const patched = await send('PATCH', '/loan/1', { member: 2, remark: 'a' })
    expect(patched.body).toMatchObject({ member: 1, title: 'Emma', remark: 'a' })
    const replaced = await send('PUT', '/loan/1', { remark: 'b' })
    expect([replaced.status, replaced.body]).toMatchObject([200, { member: 1, title: 'Emma', remark: 'b' }])
    const sentBack = await send('PUT', '/loan/1', { ...replaced.body, remark: 'c' })
    expect([sentBack.status, sentBack.body]).toMatchObject([200, { member: 1, title: 'Emma', remark: 'c' }])
    expect((await send('POST', '/loan', { member: 1 })).status).toBe(400)
  })

  it('is read-only in the bodies of PUT and PATCH of the OpenAPI document, and required by POST', () => {
    const { components } = openapi(library) as unknown as {
      components: { schemas: Record<string, { required?: string[]; properties: Record<string, { readOnly?: true }> }> }
    }
    const readOnly = Object.entries(components.schemas)
      .filter(([, { properties }]) => properties?.remark && properties.title)
      .map(([name, { properties, required = [] }]) => [name, properties.title?.readOnly, required.includes('title')])
    expect(readOnly).toMatchInlineSnapshot(`
      [
        [
          "Loan",
          undefined,
          true,
        ],
        [
          "LoanCreate",
          undefined,
          true,
        ],
        [
          "LoanReplace",
          true,
          false,
        ],
        [
          "LoanUpdate",
          true,
          false,
        ],
      ]
    `)
  })

  it.each([
    [
      'managed',
      () => noun('note', { id: identity(), hash: text().managed().writeOnce() }),
      'is not allowed on a managed field',
    ],
    [
      'a choice with transitions',
      () => noun('note', { id: identity(), state: choice({ NEW: ['DONE'], DONE: [] }).writeOnce() }),
      'cannot have transitions',
    ],
  ])('is rejected if it is %s', (_, declare, message) => {
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(message)
  })
})
