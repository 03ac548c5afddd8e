// What to do about a problem, for people.
import { expect, it } from 'vitest'
import { adviceOn } from './advice.ts'
import { problemFrom } from './service/problem.ts'

const advice = (status: number, body: object = {}, headers: { readonly [name: string]: string } = {}) =>
  adviceOn(problemFrom(status, '', body, headers))

it('says in words of a page what programs are told in others', () => {
  expect(advice(412, { hint: 'Read it again and send its ETag as If-Match.' })).toMatch(/^Someone else has changed it/)
  expect(advice(428, { hint: 'Send If-Match.' })).toBe('Open the record anew, and do it there.')
})

it('leaves the word to the service where that knows better', () => {
  expect(advice(409, { hint: 'Change or delete them first.' })).toBe('Change or delete them first.')
  expect(advice(422, { hint: 'Give one of them.' })).toBe('Give one of them.')
  expect(advice(400, { hint: 'Did you mean "status"?' })).toBe('Did you mean "status"?')
  expect(advice(404)).toBeUndefined()
})

it('says something where the service says nothing', () => {
  expect(advice(409, { code: 'value-taken' })).toMatch(/another value/)
  expect(advice(409)).toMatch(/look at what is there now/)
  expect(advice(422)).toMatch(/change what is named/)
  expect(advice(503, { code: 'too-expensive' })).toMatch(/set a filter/)
  expect(advice(500, {}, { 'x-request-id': 'r1' })).toMatch(/request number/)
})

it('says when to try again', () => {
  expect(advice(503, {}, { 'retry-after': '7' })).toMatch(/try again in 7 seconds\.$/)
  expect(advice(503, {}, { 'retry-after': '1' })).toMatch(/in 1 second\.$/)
  expect(advice(503)).toMatch(/in a moment\.$/)
  expect(advice(429, {}, { 'retry-after': '0' })).toMatch(/in a moment\.$/)
})
