import { it } from 'vitest'
import { collection, mocks } from './index.ts'

interface Role {
  roleRef: number
  name: string
  size: number | null
  actions?: Action[]
}
interface Action {
  actionRef: number
  name: string
}

const role = collection<Role>({ ref: 'roleRef', data: [], defaults: { name: '', size: null } })
const action = collection<Action>({ ref: 'actionRef', data: [], defaults: { name: '', createDate: '' } })

it('accepts whole records', () => {
  const emptyAction: Omit<Action, 'actionRef'> = { name: '' }
  interface Empty {
    name: string
    createDate: string
  }
  const empty: Empty = { name: '', createDate: '' }
  collection<Action>({ ref: 'actionRef', data: [{ actionRef: 1, name: 'x' }], defaults: emptyAction })
  collection<Action>({ ref: 'actionRef', data: [], defaults: empty })
  collection({ ref: 'actionRef', data: [{ actionRef: 1, name: 'x' }], defaults: { name: '' } })
  // @ts-expect-error not a number
  collection<Action>({ ref: 'name', data: [], defaults: { actionRef: 1 } })
  // @ts-expect-error not always a number
  collection<Role>({ ref: 'size', data: [], defaults: { roleRef: 1, name: '' } })
  // @ts-expect-error no such property
  collection<Role>({ ref: 'id', data: [], defaults: { name: '', size: null } })
  // @ts-expect-error a default is missing
  collection<Role>({ ref: 'roleRef', data: [], defaults: { name: '' } })
  // @ts-expect-error a default of another type
  collection<Role>({ ref: 'roleRef', data: [], defaults: { name: 1, size: null } })
  // @ts-expect-error data without a field
  collection<Action>({ ref: 'actionRef', data: [{ actionRef: 1 }], defaults: { name: '' } })
})

it('accepts parts of records', () => {
  role.add({ name: 'x' })
  role.update(1, { size: null })
  // The body of a request is unknown.
  role.update(1, {} as object)
  // @ts-expect-error no such property
  role.add({ nam: 'x' })
  // @ts-expect-error of another type
  role.update(1, { size: 'x' })
})

it('accepts only paths of its collections', () => {
  const collections = { role, action }
  mocks({ base: '*', collections, nested: ['role/action', 'action/role/action', 'role/role/role/role'] })
  mocks({ base: '*', collections, attach: { 'role/action': 'actions' }, list: 'array' })
  // @ts-expect-error no such collection
  mocks({ base: '*', collections, nested: ['role/user'] })
  // @ts-expect-error no such nested collection
  mocks({ base: '*', collections, nested: ['role/action/user'] })
  // @ts-expect-error not nested
  mocks({ base: '*', collections, nested: ['role'] })
  // @ts-expect-error no such property of the parent
  mocks({ base: '*', collections, attach: { 'role/action': 'users' } })
  // @ts-expect-error no records in it
  mocks({ base: '*', collections, attach: { 'role/action': 'name' } })
  // @ts-expect-error no such path
  mocks({ base: '*', collections, attach: { 'role/user': 'actions' } })
  // @ts-expect-error no such value of list
  mocks({ base: '*', collections, list: 'page' })
})
