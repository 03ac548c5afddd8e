// Advice for people about a problem.
import { expect, it } from 'vitest'
import { adviceOn } from './advice.ts'
import { problemFrom } from './service/problem.ts'

const advice = (status: number, body: object = {}, headers: { readonly [name: string]: string } = {}) =>
  adviceOn(problemFrom(status, '', body, headers))

it('replaces hints that are for programs', () => {
  expect(advice(412, { hint: 'Read it again and send its ETag as If-Match.' })).toMatch(
    /^Someone else has changed this record/,
  )
  expect(advice(428, { hint: 'Send If-Match.' })).toBe('Reload the record and try again.')
})

it('prefers the hint of the service for conflicts and rules', () => {
  expect(advice(409, { hint: 'Change or delete them first.' })).toBe('Change or delete them first.')
  expect(advice(422, { hint: 'Give one of them.' })).toBe('Give one of them.')
  expect(advice(400, { hint: 'Did you mean "status"?' })).toBe('Did you mean "status"?')
  expect(advice(404)).toBeUndefined()
})

it('has advice if the service gives no hint', () => {
  expect(advice(409, { code: 'value-taken' })).toMatch(/another value/)
  expect(advice(409)).toMatch(/Review the current values/)
  expect(advice(422)).toMatch(/Change the values named in the message/)
  expect(advice(503, { code: 'too-expensive' })).toMatch(/Add a filter/)
  expect(advice(500, {}, { 'x-request-id': 'r1' })).toMatch(/request ID/)
})

it('says when to try again', () => {
  expect(advice(503, {}, { 'retry-after': '7' })).toMatch(/try again in 7 seconds\.$/)
  expect(advice(503, {}, { 'retry-after': '1' })).toMatch(/in 1 second\.$/)
  expect(advice(503)).toMatch(/in a moment\.$/)
  expect(advice(429, {}, { 'retry-after': '0' })).toMatch(/in a moment\.$/)
})
