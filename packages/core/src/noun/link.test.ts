import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import { identity, reference, text } from '../field/kinds.ts'
import { checkLink, link } from './link.ts'
import { noun } from './noun.ts'

const application = noun('application', { id: identity() })
const tenant = noun('tenant', { id: identity() })
const role = noun('role', { id: identity(), name: text(), owner: reference(() => application) })
const action = noun('action', { id: identity(), name: text(), owner: reference(() => application) })
const grant = noun('grant', { id: identity(), owner: reference(() => tenant) })

describe('link', () => {
  it('is named after its two nouns', () => {
    expect(link(role, action)).toEqual({ name: 'role-action', nouns: [role, action] })
    expect(link(role, action, { sharing: 'owner' })).toEqual({
      name: 'role-action',
      nouns: [role, action],
      sharing: 'owner',
    })
  })

  it('is refused between a noun and itself', () => {
    expect(() => link(role, role)).toThrow(
      new DeclarationError(
        'link "role-role"',
        'links a noun with itself.',
        'declare a noun of its own for the pair, with two references (such as follower and followed).',
      ),
    )
  })

  it.each([
    ['no reference', 'name', 'role'],
    ['unknown', 'tenant', 'role'],
  ])('is refused when what it shares is %s', (_what, sharing, noun) => {
    expect(() => link(role, action, { sharing: sharing as 'owner' })).toThrow(
      new DeclarationError(
        'link "role-action"',
        `shares "${sharing}", which is no reference of "${noun}".`,
        'name a reference that both nouns bear.',
      ),
    )
  })

  it('is refused when only one of the two bears what it shares', () => {
    expect(() => link(role, tenant, { sharing: 'owner' as never })).toThrow(
      new DeclarationError(
        'link "role-tenant"',
        'shares "owner", which is no reference of "tenant".',
        'name a reference that both nouns bear.',
      ),
    )
  })
})

describe('checkLink', () => {
  it('takes a link that shares nothing, or one and the same noun', () => {
    expect(() => checkLink(link(role, grant))).not.toThrow()
    expect(() => checkLink(link(role, action, { sharing: 'owner' }))).not.toThrow()
  })

  it('refuses a link whose two nouns point at different ones', () => {
    expect(() => checkLink(link(role, grant, { sharing: 'owner' }))).toThrow(
      new DeclarationError('link "role-grant"', '"owner" points at different nouns.', 'share a reference to one noun.'),
    )
  })
})
