import { describe, expect, it } from 'vitest'
import { missingScopes } from './scope.ts'

describe('missingScopes', () => {
  it('are those of the requirement that lacks the fewest', () => {
    const security = [{ bearer: ['user:write', 'user:read'] }, { openId: ['user:write'] }]
    expect(missingScopes({ security }, ['user:read'])).toEqual(['user:write'])
    expect(missingScopes({ security }, ['user:write'])).toEqual([])
  })

  it('are none for an operation without requirements, or with one that needs no scope', () => {
    expect(missingScopes({ security: [] }, [])).toEqual([])
    expect(missingScopes({ security: [{ bearer: ['user:write'] }, { key: [] }] }, [])).toEqual([])
  })

  it('are covered by a scope of all nouns', () => {
    const security = [{ bearer: ['user:write'] }]
    expect(missingScopes({ security }, ['*:write'])).toEqual([])
    expect(missingScopes({ security }, ['*:read'])).toEqual(['user:write'])
  })
})
