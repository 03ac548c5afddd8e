// Nouns with very many fields.
import { type AnyField, type AnyNoun, DeclarationError, identity, noun, resource, text } from '@nomen/core'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

/** As many as a table has columns for: one is the identity, one the version. */
const most = 1598

function wideService(numberOfFields: number, search: readonly string[] = []) {
  const fields: Record<string, AnyField> = { id: identity() }
  for (let at = 1; at <= numberOfFields; at++) fields[`field${at}`] = text().default(`"{${at}}`)
  const wide = noun('wide', fields) as AnyNoun
  return serviceOf([plainApi(resource(wide, { search }))])
}

it.each([499, 500, most])(
  'can be created, read, listed and changed with %i fields',
  { timeout: 60_000 },
  async (numberOfFields) => {
    const app = await openService(wideService(numberOfFields))
    const created = await app.send('POST', '/wide', { field2: '}' })
    expect(created.status).toBe(201)
    const whole: Record<string, unknown> = { id: 1 }
    for (let at = 1; at <= numberOfFields; at++) whole[`field${at}`] = at === 2 ? '}' : `"{${at}}`
    expect(created.body).toEqual(whole)
    const last = `field${numberOfFields}`
    const changed = await app.send('PATCH', '/wide/1', { field1: '{', [last]: '{}' })
    const next = { ...whole, field1: '{', [last]: '{}' }
    expect(Object.entries(changed.body)).toEqual(Object.entries(next))
    expect((await app.get('/wide/1')).body).toEqual(next)
    expect((await app.get('/wide')).body.results).toEqual([next])
  },
)

it('are rejected if a table cannot have as many columns', () => {
  expect(() => wideService(most + 1)).toThrow(DeclarationError)
  expect(() => wideService(most + 1)).toThrow('its 1600 fields need 1601 columns; a table can have at most 1600.')
  expect(() => wideService(most, ['field1'])).toThrow(
    'its 1599 fields and their columns for search and sort need 1601 columns',
  )
})
