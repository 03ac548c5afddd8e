/** Mocks of four types, set up in each supported way. */
import { collection, type Mocks, mocks } from '@nomen/core/mocks'

export interface Action {
  actionRef: number
  applicationRef: number
  name: string
  description: string
}

export interface Role {
  roleRef: number
  applicationRef: number
  name: string
  description: string
  actions: Action[]
}

export interface Application {
  applicationRef: number
  name: string
  description: string
  roles: Role[]
}

export interface User {
  userRef: number
  firstName: string
  lastName: string
  email: string
  title: string | null
}

export const actions: Action[] = [
  { actionRef: 1, applicationRef: 1, name: 'read', description: 'Reads' },
  { actionRef: 2, applicationRef: 1, name: 'write', description: 'Writes' },
]

export const roles: Role[] = [
  { roleRef: 3, applicationRef: 1, name: 'clerk', description: 'Enters orders', actions: [] },
  { roleRef: 9, applicationRef: 2, name: 'auditor', description: 'Reads all', actions: [] },
  { roleRef: 5, applicationRef: 1, name: 'manager', description: 'Approves', actions: [] },
]

export const applications: Application[] = [
  {
    applicationRef: 1,
    name: 'orders',
    description: 'Takes orders',
    roles: [{ ...(roles[0] as Role), name: 'own clerk' }],
  },
  {
    applicationRef: 2,
    name: 'stock',
    description: 'Counts',
    roles: [{ ...(roles[0] as Role) }, { ...(roles[1] as Role) }],
  },
  { applicationRef: 3, name: 'empty', description: 'Has no roles', roles: [] },
]

export const users: User[] = [
  { userRef: 1, firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', title: null },
  { userRef: 2, firstName: 'Alan', lastName: 'Turing', email: 'alan@example.com', title: 'Dr' },
]

export const emptyRole = { applicationRef: 0, name: '', description: '', actions: [], createDate: '', createUserRef: 0 }

function setUp(options: { base: string; list?: 'envelope' | 'array'; isAttached?: boolean }): Mocks {
  const user = collection<User>({
    ref: 'userRef',
    data: users,
    defaults: { firstName: '', lastName: '', email: '', title: null },
  })
  return mocks({
    base: options.base,
    collections: {
      application: collection<Application>({
        ref: 'applicationRef',
        data: applications,
        defaults: { name: '', description: '', roles: [] },
      }),
      role: collection<Role>({ ref: 'roleRef', data: roles, defaults: emptyRole }),
      user,
      'user-summary': user,
      'user-detail': user,
      action: collection<Action>({
        ref: 'actionRef',
        data: actions,
        defaults: { applicationRef: 0, name: '', description: '' },
      }),
      note: collection<{ noteRef: number; text: string }>({ ref: 'noteRef', data: [], defaults: { text: '' } }),
    },
    nested: ['application/role', 'application/user', 'application/user/role', 'application/user/action', 'role/action'],
    ...(options.isAttached && { attach: { 'application/role': 'roles' } }),
    ...(options.list && { list: options.list }),
  })
}

export const setups = {
  usual: () => setUp({ base: '*/v1' }),
  array: () => setUp({ base: '*/v1', list: 'array' }),
  anywhere: () => setUp({ base: '*' }),
  attached: () => setUp({ base: '*/v1', isAttached: true }),
}

export type SetupName = keyof typeof setups
