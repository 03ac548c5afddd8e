import { boolean, choice, createdBy, identity, noun, reference, text } from '@nomen/core'
import { it } from 'vitest'
import { visible, visibleTarget } from './visibility.ts'

const department = noun('department', { id: identity(), name: text() })
const user = noun('user', {
  id: identity(),
  name: text(),
  nick: text().nullable(),
  status: choice('ACTIVE', 'SUSPENDED'),
  retired: boolean(),
  department: reference(() => department),
  supervisor: reference(() => user).nullable(),
  owner: reference(() => vault),
  createdBy: createdBy(() => user),
})
const vault = noun('vault', { key: identity('guid') })

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

it('refuses fields that the noun does not have, and values that they cannot hold', () => {
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
