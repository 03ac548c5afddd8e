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

  it('is rejected between a noun and itself', () => {
    expect(() => link(role, role)).toThrow(
      new DeclarationError(
        'link "role-role"',
        'a link must join two different nouns.',
        'declare a noun for the pair, with two references such as follower and followed.',
      ),
    )
  })

  it.each([
    ['no reference', 'name', 'role'],
    ['unknown', 'tenant', 'role'],
  ])('is rejected if the shared field is %s', (_what, sharing, noun) => {
    expect(() => link(role, action, { sharing: sharing as 'owner' })).toThrow(
      new DeclarationError(
        'link "role-action"',
        `the option "sharing" is "${sharing}", which is not a reference field of "${noun}".`,
        'use a reference that both nouns have.',
      ),
    )
  })

  it('is rejected with an unknown option', () => {
    expect(() => link(role, action, { tabel: 'role_action' } as never)).toThrow(
      new DeclarationError('link "role-action"', 'the option "tabel" does not exist.', 'did you mean "table"?'),
    )
  })

  it('is rejected if only one of the two nouns has the shared field', () => {
    expect(() => link(role, tenant, { sharing: 'owner' as never })).toThrow(
      new DeclarationError(
        'link "role-tenant"',
        'the option "sharing" is "owner", which is not a reference field of "tenant".',
        'use a reference that both nouns have.',
      ),
    )
  })
})

describe('checkLink', () => {
  it('accepts a link that shares nothing, or references to the same noun', () => {
    expect(() => checkLink(link(role, grant))).not.toThrow()
    expect(() => checkLink(link(role, action, { sharing: 'owner' }))).not.toThrow()
  })

  it('rejects a link whose shared fields reference different nouns', () => {
    expect(() => checkLink(link(role, grant, { sharing: 'owner' }))).toThrow(
      new DeclarationError(
        'link "role-grant"',
        '"owner" refers to "application" in "role" and to "tenant" in "grant".',
        'use a reference that refers to the same noun in both.',
      ),
    )
  })
})
