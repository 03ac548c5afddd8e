// Rules: when they are asked, and what they see.
import { api, email, identity, noun, number, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { opened, serviceOf } from './opened.ts'

const person = noun('person', { id: identity(), email: email().unique() })
const task = noun('task', {
  id: identity(),
  title: text(),
  hours: number().default(0),
  limit: number().default(10),
  owner: reference(() => person).nullable(),
})
const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(person), resource(task)] })

async function desked() {
  const seen: string[] = []
  const withinLimit = rule(task, ['hours', 'limit'], ({ hours, limit }, previous) => {
    seen.push(`${previous?.hours ?? 'new'} -> ${hours}`)
    return hours > limit ? { field: 'hours', detail: `${hours} hours are more than ${limit}.` } : undefined
  })
  const app = await opened({ ...serviceOf([desk]), rules: [withinLimit] })
  return { app, seen }
}

describe('a rule that names its fields', () => {
  it('is asked where one of them is written, with the others as they are', async () => {
    const { app, seen } = await desked()
    expect((await app.ask('POST', '/task', { title: 'a', hours: 11 })).status).toBe(422)
    expect((await app.ask('POST', '/task', { title: 'a', hours: 4 })).status).toBe(201)
    expect((await app.ask('PATCH', '/task/1', { limit: 3 })).status).toBe(422)
    expect((await app.ask('PATCH', '/task/1', { hours: 5 })).status).toBe(200)
    expect((await app.ask('PUT', '/task/1', { title: 'b', hours: 6, limit: 7, owner: null })).status).toBe(200)
    expect(seen).toEqual(['new -> 11', 'new -> 4', '4 -> 4', '4 -> 5', '5 -> 6'])
  })

  it('is not asked about anything else', async () => {
    const { app, seen } = await desked()
    await app.ask('POST', '/task', { title: 'a', hours: 4 })
    const patched = await app.ask('PATCH', '/task/1', { title: 'b' })
    expect([patched.status, patched.body]).toMatchObject([200, { id: 1, title: 'b', hours: 4 }])
    expect(patched.headers.etag).not.toBe((await app.ask('PATCH', '/task/1', { title: 'b' })).headers.etag)
    expect(seen).toEqual(['new -> 4'])
  })

  it('leaves every other refusal as it is', async () => {
    const { app } = await desked()
    for (const email of ['a@b.example', 'c@d.example']) await app.ask('POST', '/person', { email })
    await app.ask('POST', '/task', { title: 'a' })
    const nothing = await app.ask('PATCH', '/task/7', { title: 'b' })
    const nobody = await app.ask('PATCH', '/task/1', { owner: 9 })
    const taken = await app.ask('PATCH', '/person/2', { email: 'A@b.example' })
    expect([nothing.status, nobody.status, taken.status]).toEqual([404, 422, 409])
    expect([nobody.body.errors[0].pointer, taken.body.errors[0].pointer]).toEqual(['/owner', '/email'])
    expect((await app.ask('PATCH', '/task/7', { owner: 9 })).status).toBe(404)
  })

  it('sees these fields and no others', () => {
    rule(task, ['hours'], (next) => {
      expectTypeOf(next).toEqualTypeOf<{ hours: number }>()
      return undefined
    })
    // @ts-expect-error: there is no such field.
    expect(() => rule(task, ['hour'], () => undefined)).toThrow(
      'noun "task": a rule sees "hour", which it does not have.',
    )
  })
})
