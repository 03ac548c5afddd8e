// Rules: when they run, and which fields they see.
import { api, email, identity, noun, number, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { openService, serviceOf } from './test-service.ts'

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
  const calls: string[] = []
  const withinLimit = rule(task, ['hours', 'limit'], ({ hours, limit }, previous) => {
    calls.push(`${previous?.hours ?? 'new'} -> ${hours}`)
    return hours > limit ? { field: 'hours', detail: `${hours} hours are more than ${limit}.` } : undefined
  })
  const app = await openService({ ...serviceOf([desk]), rules: [withinLimit] })
  return { app, calls }
}

describe('a rule that names its fields', () => {
  it('runs if one of them is written, with the stored values of the others', async () => {
    const { app, calls } = await desked()
    expect((await app.send('POST', '/task', { title: 'a', hours: 11 })).status).toBe(422)
    expect((await app.send('POST', '/task', { title: 'a', hours: 4 })).status).toBe(201)
    expect((await app.send('PATCH', '/task/1', { limit: 3 })).status).toBe(422)
    expect((await app.send('PATCH', '/task/1', { hours: 5 })).status).toBe(200)
    expect((await app.send('PUT', '/task/1', { title: 'b', hours: 6, limit: 7, owner: null })).status).toBe(200)
    expect(calls).toEqual(['new -> 11', 'new -> 4', '4 -> 4', '4 -> 5', '5 -> 6'])
  })

  it('does not run for other changes', async () => {
    const { app, calls } = await desked()
    await app.send('POST', '/task', { title: 'a', hours: 4 })
    const patched = await app.send('PATCH', '/task/1', { title: 'b' })
    expect([patched.status, patched.body]).toMatchObject([200, { id: 1, title: 'b', hours: 4 }])
    expect(patched.headers.etag).not.toBe((await app.send('PATCH', '/task/1', { title: 'b' })).headers.etag)
    expect(calls).toEqual(['new -> 4'])
  })

  it('does not change other rejections', async () => {
    const { app } = await desked()
    for (const email of ['a@b.example', 'c@d.example']) await app.send('POST', '/person', { email })
    await app.send('POST', '/task', { title: 'a' })
    const nothing = await app.send('PATCH', '/task/7', { title: 'b' })
    const nobody = await app.send('PATCH', '/task/1', { owner: 9 })
    const conflict = await app.send('PATCH', '/person/2', { email: 'A@b.example' })
    expect([nothing.status, nobody.status, conflict.status]).toEqual([404, 422, 409])
    expect([nobody.body.errors[0].pointer, conflict.body.errors[0].pointer]).toEqual(['/owner', '/email'])
    expect((await app.send('PATCH', '/task/7', { owner: 9 })).status).toBe(404)
  })

  it('sees these fields and no others', () => {
    rule(task, ['hours'], (next) => {
      expectTypeOf(next).toEqualTypeOf<{ hours: number }>()
      return undefined
    })
    // @ts-expect-error: there is no such field.
    expect(() => rule(task, ['hour'], () => undefined)).toThrow('noun "task": a rule reads the unknown field "hour".')
  })
})

describe('a rule that cannot be checked', () => {
  it.each<[string, () => unknown, string]>([
    ['a promise of nothing', () => Promise.resolve(), 'A rule of "task" returned a promise.'],
    ['a promise that is rejected', () => Promise.reject(new Error('late')), 'A rule of "task" returned a promise.'],
    ['no detail', () => ({ field: 'hours' }), 'A rule of "task" returned an object.'],
    ['true', () => true, 'A rule of "task" returned true.'],
  ])('and returns %s gives 500, is logged, and writes nothing', async (_, result, message) => {
    const faults: string[] = []
    const rules = [rule(task, result as () => undefined)]
    const { send, get } = await openService(
      { ...serviceOf([desk]), rules },
      { onFault: (_message, error) => faults.push((error as Error).message) },
    )
    expect((await send('POST', '/task', { title: 'a' })).status).toBe(500)
    expect(faults).toEqual([expect.stringContaining(message)])
    expect((await get('/task')).body.pageInfo.numberOfRecords).toBe(0)
  })
})
