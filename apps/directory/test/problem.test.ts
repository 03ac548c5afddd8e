// Problems: the form of every error, and the statuses of the directory.
import { readFileSync } from 'node:fs'
import { problems } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { newUser, type User } from './record.ts'
import { expectProblem, openEach } from './service.ts'

const { get, post, put, patch, del, send, head } = openEach()
const page = () => readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8')

describe('the problem document', () => {
  it('decision error: an error is application/problem+json with type, title, status, detail and code', async () => {
    const { status, headers, body } = await get<Record<string, unknown>>('/user/9999')
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(body).toEqual({
      type: 'urn:nomen:problem:record-not-found',
      title: problems['record-not-found'][1],
      status,
      detail: expect.stringContaining('9999'),
      code: 'record-not-found',
      ...(body.hint !== undefined && { hint: body.hint }),
    })
  })

  it('decision error: several faults of a query are listed by parameter', async () => {
    const { errors = [] } = expectProblem(await get('/user?id=x&department=y&pageSize=0'), 'invalid-parameter')
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(['department', 'id', 'pageSize'])
  })

  it('decision error: several faults of a body are listed by JSON pointer', async () => {
    const body = { firstName: 1, department: 'x', 'a/b~c': 1 }
    const { errors = [] } = expectProblem(await patch('/user/1', body), 'invalid-body')
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/a~1b~0c', '/department', '/firstName'])
  })

  it('decision error: a problem truncates a long value', async () => {
    const { text } = await get(`/user?id=${'x'.repeat(5000)}`)
    expect(text.length).toBeLessThan(5000)
  })

  it('decision error: a problem contains no internal details', async () => {
    const responses = [
      await get('/user/9999'),
      await patch('/user/1', { department: 9999 }),
      await post('/user', { ...newUser(), email: 'x' }),
      await send('POST', '/user', '{', { 'content-type': 'application/json' }),
      await del('/department/1'),
    ]
    for (const { text } of responses)
      expect(text).not.toMatch(/sqlite|select |insert |constraint|\bat .*\.(ts|js):\d+|node_modules/i)
  })

  it('decision error: HEAD of a missing record has the status and no body', async () => {
    const { status, text } = await head('/user/9999')
    expect([status, text]).toEqual([404, ''])
  })

  it.each(Object.keys(problems))('decision error: docs/problems.md explains %s', (code) => {
    expect(page()).toContain(`### ${code}\n`)
  })
})

describe('the status', () => {
  it('spec 7: a successful read, update and delete is 200', async () => {
    const { body } = await get<User>('/user/7')
    const responses = [
      await get('/user'),
      await get('/user/7'),
      await get('/user/7/preference'),
      await get(`/user/by-email/${body.email}`),
      await patch('/user/7', { phone: '1' }),
      await put('/user/7', body),
      await del('/user/7'),
    ]
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(200))
  })

  it('decision status: 400 is for shape, 422 for rules, 409 for conflicts, 404 for missing records', async () => {
    const { body } = await get<User>('/user/1')
    expect((await patch('/user/2', { department: 'x' })).status).toBe(400)
    expect((await patch('/user/2', { department: 999 })).status).toBe(422)
    expect((await patch('/user/2', { supervisor: 2 })).status).toBe(422)
    expect((await patch('/user/2', { email: body.email })).status).toBe(409)
    expect((await patch('/user/2', { id: 1 })).status).toBe(409)
    expect((await del('/department/1')).status).toBe(409)
    expect((await patch('/user/9999', { phone: '' })).status).toBe(404)
    expect((await send('PATCH', '/user/1', 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await del('/user')).status).toBe(405)
  })
})
