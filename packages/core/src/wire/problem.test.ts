import { describe, expect, it } from 'vitest'
import { problem, problems } from './problem.ts'
import { ProblemError } from './problem-error.ts'

const codes = Object.keys(problems) as (keyof typeof problems)[]

describe('problem', () => {
  it('is a complete problem document', () => {
    const parts = {
      detail: '/user has no parameter "lastname".',
      hint: 'Did you mean "lastName"?',
      errors: [{ parameter: 'lastname', detail: 'is unknown' }],
    }
    expect(problem('unknown-parameter', parts)).toEqual({
      type: 'urn:nomen:problem:unknown-parameter',
      title: 'Unknown parameter',
      status: 400,
      code: 'unknown-parameter',
      ...parts,
    })
  })

  it('leaves out the hint and the errors if there are none', () => {
    const keys = ['type', 'title', 'status', 'detail', 'code']
    expect(Object.keys(problem('internal', { detail: 'It failed.' }))).toEqual(keys)
  })

  it.each(codes)('has a status and a title: %s', (code) => {
    const { type, title, status } = problem(code, { detail: 'x' })
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(type).toBe(`urn:nomen:problem:${code}`)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThanOrEqual(599)
  })

  it('has a unique title for every code', () => {
    expect(new Set(codes.map((code) => problems[code][1])).size).toBe(codes.length)
  })

  it('has the statuses that the conventions require', () => {
    const statuses = Object.fromEntries(codes.map((code) => [code, problems[code][0]]))
    expect(statuses).toMatchObject({
      'malformed-json': 400,
      'invalid-body': 400,
      'body-not-allowed': 400,
      'unknown-parameter': 400,
      'invalid-parameter': 400,
      'record-not-found': 404,
      'path-not-found': 404,
      'method-not-allowed': 405,
      'identity-mismatch': 409,
      'value-taken': 409,
      'still-referenced': 409,
      'precondition-failed': 412,
      'body-too-large': 413,
      'unsupported-media-type': 415,
      'reference-not-found': 422,
      'transition-not-allowed': 422,
      'rule-broken': 422,
      'idempotency-key-reused': 422,
      'precondition-required': 428,
      internal: 500,
    })
  })
})

describe('ProblemError', () => {
  it('is an error that carries its problem', () => {
    const error = new ProblemError(problem('record-not-found', { detail: 'There is no user 7.' }))
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('ProblemError')
    expect(error.message).toBe('There is no user 7.')
    expect(error.problem).toEqual(problem('record-not-found', { detail: 'There is no user 7.' }))
  })
})
