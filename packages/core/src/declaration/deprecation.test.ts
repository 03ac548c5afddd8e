import { describe, expect, it } from 'vitest'
import { api, type Deprecation, deprecationHeaders, identity, noun, operations, resource, text } from '../index.ts'

const user = noun('user', { id: identity(), name: text() })
const note = noun('note', { id: identity(), name: text() })

function deprecations(...options: { deprecated?: object }[]): Record<string, Deprecation | undefined> {
  const [ofApi, ofUser] = options
  const definition = api('a', {
    versioning: 'per-noun',
    writes: 'nested',
    ...(ofApi as object),
    resources: [resource(user, { ...ofUser } as object), resource(note)],
  })
  return Object.fromEntries(operations(definition).map(({ id, deprecation }) => [id, deprecation]))
}

describe('a deprecation', () => {
  const first = { since: '2026-01-01' }
  const second = { since: '2026-02-01', sunset: '2027-01-01', successor: '/v2/user' }

  it('applies to an api, a resource or single operations; the nearest one wins', () => {
    expect(deprecations({}, {})['user.list']).toBeUndefined()
    const deprecatedApi = deprecations({ deprecated: first }, { deprecated: second })
    expect([deprecatedApi['user.read'], deprecatedApi['note.read']]).toEqual([second, first])
    const deprecatedOperations = deprecations({}, { deprecated: { replace: second, read: first } })
    expect([
      deprecatedOperations['user.replace'],
      deprecatedOperations['user.read'],
      deprecatedOperations['user.update'],
    ]).toEqual([second, first, undefined])
  })

  it.each<[object, string]>([
    [{ since: 'soon' }, 'deprecated.since must be a date, not "soon".'],
    [{ since: '2026-01-01', sunset: 7 }, 'deprecated.sunset must be a date, not 7.'],
    [{ since: '2026-01-01', sunset: '2025-01-01' }, 'the sunset 2025-01-01 is before the deprecation date 2026-01-01.'],
    [{ since: '2026-01-01', successor: 'v2' }, 'the successor must be a path or a URL, not "v2".'],
    [{ since: '2026-01-01', successor: '/a>; x' }, 'the successor must be a path or a URL, not "/a>; x".'],
    [{ since: '2026-01-01', until: 'x' }, 'the option "until" does not exist'],
    [{ red: { since: '2026-01-01' } }, 'the option "red" does not exist'],
    [{}, 'deprecated.since must be a date, not undefined.'],
  ])('%j is rejected', (deprecated, message) => {
    expect(() => deprecations({}, { deprecated })).toThrow(message)
  })

  it('becomes headers', () => {
    expect(deprecationHeaders(first)).toEqual({ deprecation: '@1767225600' })
    expect(deprecationHeaders(second)).toEqual({
      deprecation: '@1769904000',
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: '</v2/user>; rel="successor-version"',
    })
  })
})
