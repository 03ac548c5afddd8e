// A problem has at most 20 errors, and its detail counts all of them.
import { identity, integer, noun, reference, resource } from '@nomen/core'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const names = Array.from({ length: 25 }, (_, index) => `number${index}`)
const references = Array.from({ length: 25 }, (_, index) => `other${index}`)
const other = noun('other', { id: identity() })
const thing = noun('thing', {
  id: identity(),
  ...Object.fromEntries(names.map((name) => [name, integer().nullable()])),
  ...Object.fromEntries(references.map((name) => [name, reference(() => other).nullable()])),
})
const things = serviceOf([plainApi(resource(thing), resource(other))])

const valuesOf = (fields: readonly string[], value: unknown) => Object.fromEntries(fields.map((name) => [name, value]))
const queryOf = (fields: readonly string[]) => `${new URLSearchParams(valuesOf(fields, 'x') as Record<string, string>)}`

it('keeps the first 20 errors of each kind', async () => {
  const { get, send } = await openService(things)
  const responses = [
    await get(`/thing?${queryOf(names)}`),
    await get(`/thing?${queryOf(references.map((name) => `${name}.x`))}`),
    await send('POST', '/thing', valuesOf(names, 'x')),
    await send('POST', '/thing', valuesOf(references, 9)),
  ]
  expect(responses.map(({ body }) => [body.code, body.errors.length, body.detail])).toEqual([
    ['invalid-parameter', 20, 'Parameter "number0" must be an integer, not "x". There are 24 more errors.'],
    ['unknown-parameter', 20, '/thing has no parameters "other0.x", "other1.x", "other2.x" and 22 more.'],
    ['invalid-body', 20, '"/number0" must be an integer, not "x". There are 24 more errors.'],
    ['reference-not-found', 20, references.map((name) => `The ${name} 9 does not exist.`).join(' ')],
  ])
})
