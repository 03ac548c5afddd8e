// Tokens that cannot be sent.
import { expect, it } from 'vitest'
import { ProblemError } from '../model/service/problem.ts'
import { HttpClient } from './http-client.ts'
import { pastedToken } from './sign-in/pasted-token.ts'

it('reports a request that the browser cannot send as a problem', async () => {
  const http = new HttpClient(undefined, async () => 'abc…xyz')
  const error = await http.send({ base: 'http://127.0.0.1:1', method: 'GET', path: '/user' }).catch((caught) => caught)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error.problem).toMatchObject({ status: 0, title: 'Not sent' })
  expect(error.problem.detail).toContain('http://127.0.0.1:1/user')
})

it('accepts a pasted token only if it can be sent', () => {
  expect(['e30.e30.x', ' Bearer e30.e30.x\n'].map(pastedToken)).toEqual(['e30.e30.x', 'e30.e30.x'])
  expect(['e30.e…0.x', 'two tokens', ''].map(pastedToken)).toEqual([undefined, undefined, undefined])
})
