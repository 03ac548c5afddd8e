import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import { boolean, createdBy, date, email, identity, reference, text, updatedBy } from '../field/kinds.ts'
import { link } from '../noun/link.ts'
import { noun } from '../noun/noun.ts'
import { operations } from '../operation/operation.ts'
import { equal, range } from '../resource/filter.ts'
import { type AnyResource, resource } from '../resource/resource.ts'
import { type Api, api } from './api.ts'
import type { ApiOptions } from './check.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  name: text(),
  email: email().unique(),
  department: reference(() => department),
  supervisor: reference(() => user)
    .nullable()
    .clearedOnDelete(),
  createdBy: createdBy(() => user),
})
const preference = noun('preference', { id: identity(), user: reference(() => user), type: text(), enabled: boolean() })
const letter = noun('letter', { id: identity(), sender: reference(() => user), receiver: reference(() => user) })
const role = noun('role', { id: identity(), name: text() })
const group = noun('group', { id: identity(), name: text() })
const userRole = link(user, role)
const groupRole = link(group, role)

type Form = 'nested' | 'flat'
/** An unversioned api of these resources, with its table; the start of a service makes both. */
function start(resources: readonly AnyResource[], writes: Form = 'nested', options: Partial<ApiOptions> = {}) {
  const made: Api<'directory', ApiOptions> = api('directory', { versioning: 'per-noun', writes, ...options, resources })
  return operations(made)
}

describe('api', () => {
  it('holds its name and its options', () => {
    const options = { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(user)] } as const
    expect(api('access', options)).toEqual({ name: 'access', options })
  })

  it.each(['Directory', 'the directory', 'directory_api', '', 'v1/x'])('is refused by the name %j', (name) => {
    expect(() => api(name, { versioning: 'per-noun', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError(
        `api "${name}"`,
        'an api is named in lower kebab-case.',
        'use letters a to z, digits and single hyphens.',
      ),
    )
  })
})

describe('an option of an api', () => {
  it.each([{ pagesize: { default: 5 } }, { versioning: 'per-verb' }, { writes: 'mixed' }])(
    'is refused when there is none such: %j',
    (option) => {
      const options = { versioning: 'per-noun', writes: 'flat', resources: [], ...option } as never
      expect(() => api('access', options)).toThrow(DeclarationError)
    },
  )
})

describe('the version', () => {
  it('is needed where an api is versioned as a whole', () => {
    // @ts-expect-error: the type asks for it as well.
    expect(() => api('access', { versioning: 'whole', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError('api "access"', 'is versioned as a whole and has no version.', 'add version: 1.'),
    )
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of an api is refused when it is %d', (version) => {
    expect(() => api('access', { version, versioning: 'whole', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError('api "access"', `has the version ${version}.`, 'use an integer from 1.'),
    )
  })

  it.each([
    [0, 0],
    [2.5, 2.5],
    [{ read: 1, replace: -2 }, -2],
  ])('of a resource is refused when it is %j', (version, named) => {
    expect(() => start([resource(user, { version })])).toThrow(
      new DeclarationError('api "directory", resource "user"', `has the version ${named}.`, 'use an integer from 1.'),
    )
  })

  it.each([2, { replace: 2 }])('of a resource is refused in an api that is versioned as a whole: %j', (version) => {
    const below = resource(user, { children: [resource(preference, { version })] })
    expect(() => start([below], 'nested', { version: 1, versioning: 'whole' })).toThrow(
      new DeclarationError(
        'api "directory", resource "user/preference"',
        'has a version of its own in an api that is versioned as a whole (spec 9 rule 2).',
        "raise the api's version, or use versioning: 'per-noun'.",
      ),
    )
  })
})

describe('the path', () => {
  it.each(['docs', 'console', 'health', 'metrics', 'usage'])(
    'is refused when it belongs to the service: /%s',
    (name) => {
      const taken = noun(name, { id: identity() }, { isSingular: true })
      const refusal = new DeclarationError(
        `api "directory", resource "${name}"`,
        'takes a path that belongs to the service itself.',
        'choose another name than openapi.json, docs, console, health, metrics, usage.',
      )
      expect(() => start([resource(taken)])).toThrow(refusal)
      expect(() => start([resource(taken)], 'nested', { version: 1, versioning: 'whole' })).toThrow(refusal)
    },
  )

  it('may bear such a name below a parent, or in part', () => {
    const usage = noun('usage', { id: identity(), user: reference(() => user) })
    expect(() => start([resource(user, { children: [resource(usage)] })])).not.toThrow()
    expect(() => start([resource(usage, { path: 'usage-record' })])).not.toThrow()
  })

  it('is refused when two resources have it', () => {
    expect(() => start([resource(user), resource(user)])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /user is declared twice, as user.list and user.list.',
        'leave one out, or give one another path.',
      ),
    )
  })

  it('is refused when two nouns are shown under it', () => {
    expect(() => start([resource(role), resource(group, { path: 'role' })])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /role is declared twice, as role.list and role.list.',
        'leave one out, or give one another path.',
      ),
    )
  })

  it('is refused when it is that of a list variant', () => {
    const summary = noun('user-summary', { id: identity() })
    expect(() => start([resource(user, { summary: ['id'] }), resource(summary)])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /user-summary is declared twice, as user.summary and user-summary.list.',
        'leave one out, or give one another path.',
      ),
    )
  })

  it('is refused when two lookups write it alike', () => {
    const thing = noun('thing', { id: identity(), externalId: text().unique(), externalID: text().unique() })
    expect(() => start([resource(thing, { by: ['externalId', 'externalID'] })])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /thing/by-external-id/{externalID} is declared twice, as thing.lookup.externalId and thing.lookup.externalID.',
        'leave one out, or give one another path.',
      ),
    )
  })

  it('may be had twice where the methods or the versions differ', () => {
    expect(() => start([resource(user, { offers: ['list'] }), resource(user, { offers: ['create'] })])).not.toThrow()
    expect(() => start([resource(user, { version: 1 }), resource(user, { version: 2 })])).not.toThrow()
  })
})

describe('the form of writes', () => {
  const everywhere = [resource(user, { children: [resource(preference)] }), resource(preference)]

  it('is one: a noun cannot be changed both at the root and below its parent', () => {
    expect(() => start(everywhere)).toThrow(
      new DeclarationError(
        'api "directory"',
        '"preference" can be changed at both /user/preference and /preference: one api has one form of writes (spec 4.2 rule 1).',
        "say offers: ['list', 'read'] at one of them.",
      ),
    )
  })

  it('lets a noun be read in both places', () => {
    const [below] = everywhere as [AnyResource]
    expect(() => start([below, resource(preference, { offers: ['list', 'read'] })])).not.toThrow()
    expect(() => start(everywhere, 'flat')).not.toThrow()
  })

  it('lets a noun have two faces at the root where it is flat', () => {
    expect(() => start([resource(role), resource(role, { path: 'duty' })], 'flat')).not.toThrow()
  })

  it.each(['create', 'replace', 'update', 'delete'] as const)('refuses %s below a parent where it is flat', (offer) => {
    const below = resource(preference, { offers: ['list', offer] })
    expect(() => start([resource(user, { children: [below] })], 'flat')).toThrow(
      new DeclarationError(
        'resource "preference"',
        `offers "${offer}" below its parent, in an api whose writes are flat: one api has one form (spec 4.2).`,
        'declare the resource at the root of the api for its writes, and leave them out here.',
      ),
    )
  })

  it.each(['nested', 'flat'] as const)('refuses writes below a parent that is only linked: %s', (form) => {
    const below = resource(role, { via: userRole, offers: ['list', 'create'] })
    expect(() => start([resource(user, { children: [below] }), resource(role)], form)).toThrow(
      new DeclarationError(
        'resource "role"',
        'offers "create" below a parent that it is only linked with.',
        'declare the resource at the root of the api for its writes, and leave them out here.',
      ),
    )
  })

  it.each([
    ['at the root', [resource(role, { offers: ['link'] })]],
    [
      'below the parent that it points at',
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
  ])('refuses a link %s', (_where, resources) => {
    expect(() => start(resources)).toThrow(
      expect.objectContaining({
        rule: 'offers links, and stands directly below no root resource it is linked with.',
        fix: "leave 'link' out, or say via: a link.",
      }),
    )
  })

  it('refuses what is no operation', () => {
    expect(() => start([resource(user, { offers: ['list', 'remove' as 'delete'] })])).toThrow(
      expect.objectContaining({ subject: 'resource "user"' }),
    )
  })
})

describe('POST', () => {
  it('is refused where the resource hides a field that has no default', () => {
    expect(() => start([resource(user, { complete: ['id', 'name', 'email'] })])).toThrow(
      new DeclarationError(
        'api "directory", resource "user"',
        'offers POST and hides "department", which has no default.',
        `show "department", give the field a default, or leave 'create' out of offers.`,
      ),
    )
  })

  it('may hide what has a default, what is null and what the server fills in', () => {
    const note = noun('note', {
      id: identity(),
      title: text(),
      body: text().default(''),
      slug: text().defaultFrom('title'),
      remark: text().nullable(),
      createdBy: createdBy(() => user),
      hash: text().managed().default(''),
    })
    expect(() => start([resource(note, { complete: ['id', 'title'] })])).not.toThrow()
  })

  it('is refused where nothing gives a field of the service its first value', () => {
    const note = noun('note', { id: identity(), title: text(), hash: text().managed() })
    const refusal = new DeclarationError(
      'api "directory", resource "note"',
      'offers POST, and nothing gives "hash" its first value.',
      "give the field a default, or leave 'create' out of offers.",
    )
    expect(() => start([resource(note)])).toThrow(refusal)
    expect(() => start([resource(note, { complete: ['id', 'title'] })])).toThrow(refusal)
    expect(() => start([resource(note, { offers: ['list', 'replace'] })])).not.toThrow()
  })

  it('may hide what the path says', () => {
    const below = resource(preference, { complete: ['id', 'type', 'enabled'] })
    expect(() => start([resource(user, { children: [below] })])).not.toThrow()
    expect(() => start([resource(preference, { complete: ['id', 'type', 'enabled'] })])).toThrow(
      expect.objectContaining({ rule: 'offers POST and hides "user", which has no default.' }),
    )
  })

  it('is no matter where it is not offered', () => {
    const offers = ['list', 'read', 'replace', 'update', 'delete'] as const
    expect(() => start([resource(user, { complete: ['id', 'name'], offers })])).not.toThrow()
  })
})

describe('a reference', () => {
  it('to nowhere is refused', () => {
    const lost = noun('letter', { id: identity(), sender: reference(() => undefined) })
    expect(() => start([resource(lost)])).toThrow(
      new DeclarationError(
        'noun "letter", field "sender"',
        'the reference points at nothing.',
        'give a function that returns a noun: reference(() => department).',
      ),
    )
  })

  it('to nowhere is refused in a hidden field too', () => {
    const lost = noun('letter', { id: identity(), sender: reference(() => undefined).nullable() })
    expect(() => start([resource(lost, { complete: ['id'] })])).toThrow(
      expect.objectContaining({ rule: 'the reference points at nothing.' }),
    )
  })

  it('to a noun without a label cannot be displayed', () => {
    expect(() => start([resource(preference, { display: ['user'] })])).toThrow(
      new DeclarationError(
        'api "directory", resource "preference"',
        'is to show "user" by its label, and "user" has none.',
        'give the noun "user" a label.',
      ),
    )
  })

  it('has an identity for its default', () => {
    const wrong = noun('letter', { id: identity(), sender: reference(() => user).default('nobody' as never) })
    expect(() => start([resource(wrong)])).toThrow(
      new DeclarationError(
        'api "directory", resource "letter"',
        'the default of "sender" is no identity of "user".',
        'give the identity of a record that is always there.',
      ),
    )
    const right = noun('letter', { id: identity(), sender: reference(() => user).default(1 as never) })
    expect(() => start([resource(right)])).not.toThrow()
  })
})

describe('a child', () => {
  const below = (child: AnyResource, form: Form = 'nested') => start([resource(user, { children: [child] })], form)

  it('is refused where nothing relates it to its parent', () => {
    expect(() => below(resource(role))).toThrow(
      new DeclarationError(
        'resource "role" below "user"',
        '"role" has no reference to "user".',
        'say how they are related: via a link, or via a row of links and references that leads to the parent.',
      ),
    )
  })

  it('is refused where two references do', () => {
    expect(() => below(resource(letter))).toThrow(
      new DeclarationError(
        'resource "letter" below "user"',
        '"letter" points at "user" by sender and receiver.',
        "say which: via: 'sender'.",
      ),
    )
    expect(() => below(resource(letter, { via: 'receiver' }))).not.toThrow()
  })

  it('is not related by who created it', () => {
    const note = noun('note', { id: identity(), createdBy: createdBy(() => user), updatedBy: updatedBy(() => user) })
    expect(() => below(resource(note))).toThrow(expect.objectContaining({ rule: '"note" has no reference to "user".' }))
  })

  it.each([
    [
      'an unknown name',
      resource(preference, { via: 'owner' }),
      'via "owner", which is no reference of "preference".',
      'name a reference, or a link.',
    ],
    [
      'a field that is no reference',
      resource(preference, { via: 'type' }),
      'via "type", which is no reference of "preference".',
      'name a reference, or a link.',
    ],
    [
      'a link between others',
      resource(preference, { via: userRole }),
      'via the link "user-role", which does not touch "preference".',
      'begin the row at the child.',
    ],
    [
      'a link that leads elsewhere',
      resource(role, { via: groupRole }),
      'its via leads to "group", not to its parent "user".',
      'end the row at the parent.',
    ],
    [
      'a row that goes one step too far',
      resource(preference, { via: ['user', 'department'] }),
      'its via leads to "department", not to its parent "user".',
      'end the row at the parent.',
    ],
    [
      'a row that is in the wrong order',
      resource(group, { via: [userRole, groupRole] }),
      'via the link "user-role", which does not touch "group".',
      'begin the row at the child.',
    ],
    ['a row of no steps', resource(role, { via: [] }), 'its via is an empty row.', 'name a reference or a link.'],
  ])('is refused via %s', (_what, child, rule, fix) => {
    expect(() => below(child, 'flat')).toThrow(new DeclarationError(`resource "${child.noun.name}"`, rule, fix))
  })

  it('is refused via a row of no steps below its own noun', () => {
    expect(() => below(resource(user, { path: 'report', via: [] }), 'flat')).toThrow(DeclarationError)
  })

  it('may be related by a row of links', () => {
    expect(() => below(resource(group, { via: [groupRole, userRole] }), 'flat')).not.toThrow()
  })

  it('is refused via a link that shares references to different nouns', () => {
    const ours = noun('ours', { id: identity(), owner: reference(() => user) }, { isSingular: true })
    const theirs = noun('theirs', { id: identity(), owner: reference(() => group) }, { isSingular: true })
    const pair = link(ours, theirs, { sharing: 'owner' })
    expect(() => start([resource(ours, { children: [resource(theirs, { via: pair })] })], 'flat')).toThrow(
      new DeclarationError(
        'link "ours-theirs"',
        '"owner" points at different nouns.',
        'share a reference to one noun.',
      ),
    )
  })

  it('may be a plain array, and a root collection may not', () => {
    expect(() => below(resource(preference, { paginated: false }))).not.toThrow()
    expect(() => start([resource(role, { paginated: false })])).toThrow(
      new DeclarationError(
        'api "directory", resource "role"',
        'a root collection without pages.',
        'leave out paginated: false; only a child may be a plain array.',
      ),
    )
  })

  it.each([{ summary: ['id'] }, { detail: true }] as const)('has no variants as a plain array: %j', (variant) => {
    expect(() => below(resource(preference, { paginated: false, ...variant }))).toThrow(
      new DeclarationError(
        'api "directory", resource "user/preference"',
        'a plain array with list variants.',
        'leave out summary and detail, or paginated: false.',
      ),
    )
  })
})

describe('two filters', () => {
  it('are refused when they give one and the same parameter', () => {
    const person = noun('person', { id: identity(), birthday: date() })
    const filters = { born: range('birthday'), bornFrom: equal('birthday') }
    const resources = [resource(person, { filters })]
    expect(() => start(resources)).toThrow(
      new DeclarationError('resource "person"', 'has two filters called "bornFrom".', 'rename one of them.'),
    )
  })
})

describe('the page size of an api', () => {
  const refusal = (subject: string, size: number, maximum: number) =>
    new DeclarationError(
      subject,
      `a default page size of ${size} with a maximum of ${maximum}.`,
      'use integers from 1, the default not above the maximum.',
    )

  it.each([
    [{ default: 0 }, 0, 1000],
    [{ maximum: -1 }, -1, -1],
    [{ default: 1.5 }, 1.5, 1000],
    [{ default: 50, maximum: 20 }, 50, 20],
  ])('is refused when it makes no sense: %j', (pageSize, size, maximum) => {
    expect(() => start([resource(role)], 'flat', { pageSize })).toThrow(refusal('api "directory"', size, maximum))
  })

  it('is the greatest that a resource may choose', () => {
    const roles = resource(role, { pageSize: { default: 300 } })
    expect(() => start([roles], 'flat', { pageSize: { maximum: 200 } })).toThrow(
      refusal('api "directory", resource "role"', 300, 200),
    )
    expect(() => start([resource(role, { pageSize: { default: 1001 } })])).toThrow(
      refusal('api "directory", resource "role"', 1001, 1000),
    )
    expect(() => start([resource(role, { pageSize: { maximum: 5 } })])).not.toThrow()
  })

  it('is refused when it is above the maximum that holds where none is given', () => {
    expect(() => start([resource(role)], 'flat', { pageSize: { default: 2000 } })).toThrow(DeclarationError)
  })

  it('lets a resource have greater pages than usual', () => {
    const roles = () => resource(role, { pageSize: { default: 2000 } })
    expect(() => start([roles()], 'flat', { pageSize: { maximum: 5000 } })).not.toThrow()
  })
})
