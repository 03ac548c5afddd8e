import { boolean, choice, createdBy, custom, identity, integer, link, noun, reference, text } from '@nomen/core'
import { it } from 'vitest'
import { atLeast, between } from './bounds.ts'
import { linked, referencedBy, visibleTarget } from './condition.ts'
import { filter } from './filter.ts'
import { visible } from './visibility.ts'

const department = noun('department', { id: identity(), name: text() })
const user = noun('user', {
  id: identity(),
  name: text(),
  nick: text().nullable(),
  status: choice('ACTIVE', 'SUSPENDED'),
  retired: boolean(),
  age: integer(),
  department: reference(() => department),
  supervisor: reference(() => user).nullable(),
  owner: reference(() => vault),
  createdBy: createdBy(() => user),
})
const vault = noun('vault', { key: identity('guid') })
const key = link(department, vault)
const old = custom(boolean())

it('takes all, none, or values of the fields', () => {
  visible(user, () => true)
  visible(user, () => false)
  visible(user, () => ({ status: 'ACTIVE' }))
  visible(user, () => ({ status: ['ACTIVE', 'SUSPENDED'], retired: false, department: 7, owner: 'a' }))
  visible(user, () => ({ nick: null, supervisor: [3, null] }))
  visible(user, ({ user: name }) => name !== undefined && { name })
  visible(user, ({ scopes }) => scopes.includes('user:all') || { retired: false })
  visible(user, ({ user: name }) => (name === undefined ? { retired: false } : { status: 'ACTIVE', retired: [true] }))
})

it('takes what a token says as it is', () => {
  visible(user, ({ claims }) => ({ department: claims.department }))
  visible(user, ({ claims }) => ({ department: claims.department, status: 'ACTIVE' }))
  visible(user, ({ record }) => typeof record === 'number' && { id: record })
})

it('takes what the caller sees for a reference', () => {
  visible(user, () => ({ department: visibleTarget, supervisor: [visibleTarget, null] }))
})

it('takes alternatives, bounds and relations', () => {
  visible(user, ({ user: name, claims }) => [{ status: 'ACTIVE' }, { name: name ?? '', department: claims.department }])
  visible(user, () => ({ age: between(18, 65) }))
  visible(user, ({ record }) => record !== null && { department: { name: 'Sales' }, createdBy: { id: record } })
  // @ts-expect-error: without an own record, it would match users without an author.
  visible(user, ({ record }) => ({ createdBy: record }))
  visible(user, ({ claims }) => ({ supervisor: { supervisor: { department: claims.department } } }))
  visible(user, () => ({ supervisor: [{ retired: false }, 7, null] }))
  visible(user, () => ({ id: referencedBy(user, 'supervisor', { retired: false }) }))
  visible(user, () => ({ department: linked(key, vault, { key: 'a' }) }))
  filter(user, old, (isOld, { record }) => isOld && [{ age: atLeast(65) }, { supervisor: { id: record as number } }])
})

it('rejects alternatives, bounds and relations that do not fit', () => {
  // @ts-expect-error
  visible(user, () => [{ status: 'ACTIVE' }, { statsu: 'ACTIVE' }])
  // @ts-expect-error
  visible(user, () => ({ age: atLeast('old') }))
  // @ts-expect-error
  visible(user, () => ({ department: { nam: 'Sales' } }))
  // @ts-expect-error
  visible(user, () => ({ department: { name: 7 } }))
  // @ts-expect-error
  visible(user, () => ({ name: { id: 7 } }))
  // @ts-expect-error
  visible(user, () => ({ name: referencedBy(user, 'supervisor', true) }))
  // @ts-expect-error
  visible(user, () => ({ id: referencedBy(user, 'name', true) }))
  // @ts-expect-error
  visible(user, () => ({ id: referencedBy(user, 'supervisor', { nam: 'a' }) }))
  // @ts-expect-error
  filter(user, old, () => ({ department: { nam: 'Sales' } }))
})

it('rejects fields that the noun does not have, and values that they cannot hold', () => {
  // @ts-expect-error
  visible(user, () => ({ departement: 7 }))
  // @ts-expect-error
  visible(user, ({ claims }) => ({ status: 'ACTIVE', tenant: claims.tenant }))
  // @ts-expect-error
  visible(user, () => ({ status: 'ACTVE' }))
  // @ts-expect-error
  visible(user, () => ({ status: ['ACTIVE', 'GONE'] }))
  // @ts-expect-error
  visible(user, () => ({ department: '7' }))
  // @ts-expect-error
  visible(user, () => ({ department: null }))
  // @ts-expect-error
  visible(user, () => ({ owner: 7 }))
  // @ts-expect-error
  visible(user, () => ({ name: visibleTarget }))
  // @ts-expect-error
  visible(user, async () => ({ retired: false }))
  // @ts-expect-error
  visible(user, () => 'all')
  // @ts-expect-error
  visible(user, () => undefined)
  // @ts-expect-error
  visible(user, ({ user: name }) => ({ name }))
})
