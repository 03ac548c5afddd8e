import { describe, expect, it } from 'vitest'
import { api, type Deprecation, deprecationHeaders, identity, noun, operations, resource, text } from '../index.ts'

const user = noun('user', { id: identity(), name: text() })
const note = noun('note', { id: identity(), name: text() })

function deprecations(...options: { deprecated?: object }[]): Record<string, Deprecation | undefined> {
  const [ofApi, ofUser] = options
  const declared = api('a', {
    versioning: 'per-noun',
    writes: 'nested',
    ...(ofApi as object),
    resources: [resource(user, { ...ofUser } as object), resource(note)],
  })
  return Object.fromEntries(operations(declared).map(({ id, deprecation }) => [id, deprecation]))
}

describe('a deprecation', () => {
  const one = { since: '2026-01-01' }
  const other = { since: '2026-02-01', sunset: '2027-01-01', successor: '/v2/user' }

  it('concerns an api, a resource, or single operations; the nearest counts', () => {
    expect(deprecations({}, {})['user.list']).toBeUndefined()
    const all = deprecations({ deprecated: one }, { deprecated: other })
    expect([all['user.read'], all['note.read']]).toEqual([other, one])
    const some = deprecations({}, { deprecated: { replace: other, read: one } })
    expect([some['user.replace'], some['user.read'], some['user.update']]).toEqual([other, one, undefined])
  })

  it.each<[object, string]>([
    [{ since: 'soon' }, 'is deprecated with since: "soon".'],
    [{ since: '2026-01-01', sunset: 7 }, 'is deprecated with sunset: 7.'],
    [{ since: '2026-01-01', sunset: '2025-01-01' }, 'goes on 2025-01-01, before it is deprecated on 2026-01-01.'],
    [{ since: '2026-01-01', successor: 'v2' }, 'has the successor "v2".'],
    [{ since: '2026-01-01', successor: '/a>; x' }, 'has the successor "/a>; x".'],
    [{ since: '2026-01-01', until: 'x' }, 'names "until"'],
    [{ red: { since: '2026-01-01' } }, 'names "red"'],
    [{}, 'is deprecated since never.'],
  ])('%j is refused', (deprecated, message) => {
    expect(() => deprecations({}, { deprecated })).toThrow(message)
  })

  it('is told in headers', () => {
    expect(deprecationHeaders(one)).toEqual({ deprecation: '@1767225600' })
    expect(deprecationHeaders(other)).toEqual({
      deprecation: '@1769904000',
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: '</v2/user>; rel="successor-version"',
    })
  })
})
