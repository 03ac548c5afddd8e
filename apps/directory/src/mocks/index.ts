/** Mocks of the directory for user interfaces: applications, and their roles, users and actions. */
import { collection, mocks } from '@nomen/core/mocks'
import { actions, applications, people, roles, users } from './data.ts'
import type { Action, Application, DetailedUser, Role, User } from './types.ts'

export type { Action, Application, DetailedUser, Role, SummaryUser, User } from './types.ts'

/** The fields that the service sets when a record is created. */
const created = { createDate: '', createUserRef: 0 }

const person = collection<DetailedUser>({
  ref: 'ref',
  data: people,
  defaults: {
    firstName: '',
    lastName: '',
    fullName: '',
    email: '',
    department: '',
    title: '',
    createdOn: '',
    updatedOn: '',
    ...created,
  },
})

/** The collections by their names in paths, for additional handlers. */
export const collections = {
  application: collection<Application>({
    ref: 'applicationRef',
    data: applications,
    defaults: { name: '', description: '', roles: [], ...created },
  }),
  role: collection<Role>({
    ref: 'roleRef',
    data: roles,
    defaults: { applicationRef: 0, name: '', description: '', actions: [], ...created },
  }),
  user: collection<User>({
    ref: 'userRef',
    data: users,
    defaults: { name: '', email: '', roles: [], actions: [], ...created },
  }),
  action: collection<Action>({
    ref: 'actionRef',
    data: actions,
    defaults: { applicationRef: 0, name: '', description: '', ...created },
  }),
  'user-detail': person,
  'user-summary': person,
}

export const mock = mocks({
  base: '*/v1',
  collections,
  nested: ['application/role', 'application/user', 'application/user/role', 'application/user/action', 'role/action'],
  attach: { 'application/role': 'roles' },
  list: 'envelope',
})
