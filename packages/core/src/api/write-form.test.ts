import { describe, expect, it } from 'vitest'
import {
  department,
  type Form,
  group,
  groupRole,
  letter,
  operationsOf,
  preference,
  role,
  user,
  userRole,
} from '../../test/letter-api.ts'
import { DeclarationError } from '../declaration/error.ts'
import { identity, reference, text } from '../field/kinds.ts'
import { createdBy, updatedBy } from '../field/managed-kinds.ts'
import { link } from '../noun/link.ts'
import { noun } from '../noun/noun.ts'
import { type AnyResource, resource } from '../resource/resource.ts'

describe('the form of writes', () => {
  const everywhere = [resource(user, { children: [resource(preference)] }), resource(preference)]

  it('rejects writes of a noun both at the root and below its parent', () => {
    expect(() => operationsOf(everywhere)).toThrow(
      new DeclarationError(
        'api "directory"',
        'clients could change "preference" at both /user/preference and /preference; a noun must have one path for writes.',
        "add offers: ['list', 'read'] to one of them.",
      ),
    )
  })

  it('allows reads of a noun at the root and below its parent', () => {
    const [below] = everywhere as [AnyResource]
    expect(() => operationsOf([below, resource(preference, { offers: ['list', 'read'] })])).not.toThrow()
    expect(() => operationsOf(everywhere, 'flat')).not.toThrow()
  })

  it('allows two resources of a noun at the root if writes are flat', () => {
    expect(() => operationsOf([resource(role), resource(role, { path: 'duty' })], 'flat')).not.toThrow()
  })

  it.each(['create', 'replace', 'update', 'delete'] as const)(
    'rejects %s below a parent if writes are flat',
    (offer) => {
      const below = resource(preference, { offers: ['list', offer] })
      expect(() => operationsOf([resource(user, { children: [below] })], 'flat')).toThrow(
        new DeclarationError(
          'resource "preference"',
          `the operation "${offer}" is not possible below a parent in an API with writes: 'flat'.`,
          `declare the resource at the root of the API for writes, and remove "${offer}" here.`,
        ),
      )
    },
  )

  it.each(['nested', 'flat'] as const)('rejects writes below a parent that is only linked: %s', (form) => {
    const below = resource(role, { via: userRole, offers: ['list', 'create'] })
    expect(() => operationsOf([resource(user, { children: [below] }), resource(role)], form)).toThrow(
      new DeclarationError(
        'resource "role"',
        'the operation "create" is not possible: the resource has no direct reference to its parent.',
        'declare the resource at the root of the API for writes, and remove "create" here.',
      ),
    )
  })

  it.each([
    ['at the root', [resource(role, { offers: ['link'] })]],
    [
      'below the parent that it references',
      [resource(user, { children: [resource(preference, { offers: ['link'] })] })],
    ],
    [
      'at the third level',
      [
        resource(department, {
          children: [resource(user, { children: [resource(role, { via: userRole, offers: ['link'] })] })],
        }),
      ],
    ],
  ])('rejects a link %s', (_where, resources) => {
    expect(() => operationsOf(resources)).toThrow(
      expect.objectContaining({
        mistake: 'the operation "link" requires a direct child of a root resource, and a link between the two nouns.',
        fix: 'remove "link", or set via to a link.',
      }),
    )
  })

  it('rejects an unknown operation', () => {
    expect(() => operationsOf([resource(user, { offers: ['list', 'remove' as 'delete'] })])).toThrow(
      expect.objectContaining({ subject: 'resource "user"' }),
    )
  })
})

describe('POST', () => {
  it('is rejected if the resource hides a field without a default', () => {
    expect(() => operationsOf([resource(user, { complete: ['id', 'name', 'email'] })])).toThrow(
      new DeclarationError(
        'api "directory", resource "user"',
        'a create cannot set "department", which is required.',
        `add "department" to the option complete, give the field a default, or declare offers and internal without 'create'.`,
      ),
    )
  })

  it('may hide fields that have a default, are nullable or are set by the server', () => {
    const note = noun('note', {
      id: identity(),
      title: text(),
      body: text().default(''),
      slug: text().defaultFrom('title'),
      remark: text().nullable(),
      createdBy: createdBy(() => user),
      hash: text().managed().default(''),
    })
    expect(() => operationsOf([resource(note, { complete: ['id', 'title'] })])).not.toThrow()
  })

  it('may hide a field that the path sets', () => {
    const below = resource(preference, { complete: ['id', 'type', 'enabled'] })
    expect(() => operationsOf([resource(user, { children: [below] })])).not.toThrow()
    expect(() => operationsOf([resource(preference, { complete: ['id', 'type', 'enabled'] })])).toThrow(
      expect.objectContaining({
        mistake: 'a create cannot set "user", which is required.',
      }),
    )
  })

  it('may be left out by a resource that hides required fields', () => {
    const offers = ['list', 'read', 'replace', 'update', 'delete'] as const
    expect(() => operationsOf([resource(user, { complete: ['id', 'name'], offers })])).not.toThrow()
  })
})

describe('a reference', () => {
  it('must have a target in the api', () => {
    const letterWithoutTarget = noun('letter', { id: identity(), sender: reference(() => undefined) })
    expect(() => operationsOf([resource(letterWithoutTarget)])).toThrow(
      new DeclarationError(
        'noun "letter", field "sender"',
        'the target of the reference must be a noun, not undefined.',
        'pass a function that returns a noun: reference(() => department).',
      ),
    )
  })

  it('must have a target in the api even if it is hidden', () => {
    const letterWithoutTarget = noun('letter', { id: identity(), sender: reference(() => undefined).nullable() })
    expect(() => operationsOf([resource(letterWithoutTarget, { complete: ['id'] })])).toThrow(
      expect.objectContaining({ mistake: 'the target of the reference must be a noun, not undefined.' }),
    )
  })

  it('to a noun without a label cannot be displayed', () => {
    expect(() => operationsOf([resource(preference, { display: ['user'] })])).toThrow(
      new DeclarationError(
        'api "directory", resource "preference"',
        'display has "user", but the noun "user" has no label.',
        'add a label to the noun "user".',
      ),
    )
  })

  it('has an identity as its default', () => {
    const letterWithDefault = noun('letter', {
      id: identity(),
      sender: reference(() => user).default('nobody' as never),
    })
    expect(() => operationsOf([resource(letterWithDefault)])).toThrow(
      new DeclarationError(
        'api "directory", resource "letter"',
        'the default "nobody" of "sender" is not an ID of "user".',
        'use the ID of a record that always exists.',
      ),
    )
    const right = noun('letter', { id: identity(), sender: reference(() => user).default(1 as never) })
    expect(() => operationsOf([resource(right)])).not.toThrow()
  })
})

describe('a child', () => {
  const below = (child: AnyResource, form: Form = 'nested') =>
    operationsOf([resource(user, { children: [child] })], form)

  it('must be related to its parent', () => {
    expect(() => below(resource(role))).toThrow(
      new DeclarationError(
        'resource "role" below "user"',
        '"role" has no reference to "user".',
        'set via to a link, or to a list of references and links that leads to the parent.',
      ),
    )
  })

  it('must not be related to its parent by two references', () => {
    expect(() => below(resource(letter))).toThrow(
      new DeclarationError(
        'resource "letter" below "user"',
        '"letter" has several references to "user": sender, receiver.',
        "select one: via: 'sender'.",
      ),
    )
    expect(() => below(resource(letter, { via: 'receiver' }))).not.toThrow()
  })

  it('is not related to its parent by createdBy', () => {
    const note = noun('note', { id: identity(), createdBy: createdBy(() => user), updatedBy: updatedBy(() => user) })
    expect(() => below(resource(note))).toThrow(
      expect.objectContaining({ mistake: '"note" has no reference to "user".' }),
    )
  })

  it.each([
    [
      'an unknown name',
      resource(preference, { via: 'owner' }),
      'via has "owner", which is not a reference of "preference".',
      'use a reference or a link.',
    ],
    [
      'a field that is not a reference',
      resource(preference, { via: 'type' }),
      'via has "type", which is not a reference of "preference".',
      'use a reference or a link.',
    ],
    [
      'a link between other nouns',
      resource(preference, { via: userRole }),
      'via has the link "user-role", which does not link "preference".',
      'use a link of "preference". Each step of via starts at the noun where the previous step ended; the first step starts at the child.',
    ],
    [
      'a link that leads to another noun',
      resource(role, { via: groupRole }),
      '"via" leads to "group", not to the parent "user".',
      'add references or links that lead to "user".',
    ],
    [
      'a list that goes one step too far',
      resource(preference, { via: ['user', 'department'] }),
      '"via" leads to "department", not to the parent "user".',
      'add references or links that lead to "user".',
    ],
    [
      'a list in the wrong order',
      resource(group, { via: [userRole, groupRole] }),
      'via has the link "user-role", which does not link "group".',
      'use a link of "group". Each step of via starts at the noun where the previous step ended; the first step starts at the child.',
    ],
    ['an empty list', resource(role, { via: [] }), '"via" is empty.', 'add a reference or a link.'],
  ])('is rejected via %s', (_what, child, rule, fix) => {
    expect(() => below(child, 'flat')).toThrow(new DeclarationError(`resource "${child.noun.name}"`, rule, fix))
  })

  it('is rejected via an empty list of relations below its own noun', () => {
    expect(() => below(resource(user, { path: 'report', via: [] }), 'flat')).toThrow(DeclarationError)
  })

  it('may be related by several links', () => {
    expect(() => below(resource(group, { via: [groupRole, userRole] }), 'flat')).not.toThrow()
  })

  it('is rejected via a link that shares references to different nouns', () => {
    const ours = noun('ours', { id: identity(), owner: reference(() => user) }, { isSingular: true })
    const theirs = noun('theirs', { id: identity(), owner: reference(() => group) }, { isSingular: true })
    const pair = link(ours, theirs, { sharing: 'owner' })
    expect(() => operationsOf([resource(ours, { children: [resource(theirs, { via: pair })] })], 'flat')).toThrow(
      new DeclarationError(
        'link "ours-theirs"',
        '"owner" refers to "user" in "ours" and to "group" in "theirs".',
        'use a reference that refers to the same noun in both.',
      ),
    )
  })

  it('may be a plain array, but a root collection may not', () => {
    expect(() => below(resource(preference, { paginated: false }))).not.toThrow()
    expect(() => operationsOf([resource(role, { paginated: false })])).toThrow(
      new DeclarationError(
        'api "directory", resource "role"',
        'paginated: false is not possible for a root resource.',
        'remove paginated: false; only a child may be a plain array.',
      ),
    )
  })

  it.each([{ summary: ['id'] }, { detail: true }] as const)('has no variants as a plain array: %j', (variant) => {
    expect(() => below(resource(preference, { paginated: false, ...variant }))).toThrow(
      new DeclarationError(
        'api "directory", resource "user/preference"',
        'paginated: false is not possible with summary or detail.',
        'remove summary and detail, or paginated: false.',
      ),
    )
  })
})
