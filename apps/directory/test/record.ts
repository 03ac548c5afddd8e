/** Types of the records of the directory, and the records of the sample. */
import { sample } from '../src/sample.ts'

export interface UserItem {
  id: number
  firstName: string
  lastName: string
  email: string
}

export interface User extends UserItem {
  phone: string
  extension: string
  status: 'ACTIVE' | 'SUSPENDED'
  department: number
  supervisor: number | null
  created: string
  lastUpdated: string
}

/** A user in /user-detail, with the labels of its references. */
export interface UserDetail extends Omit<User, 'department' | 'supervisor'> {
  department: string
  supervisor: string | null
}

export interface AccessUserItem extends UserItem {
  username: string
}

export interface AccessUser extends AccessUserItem {
  avatarColor: string | null
  createdDate: string | null
  createdBy: number | null
  updatedDate: string | null
  updatedBy: number | null
}

export interface Preference {
  id: number
  type: string
  enabled: boolean | null
  value: string | null
}

export interface Department {
  id: number
  name: string
  retired: boolean
}

export interface Application {
  applicationRef: number
  guid: string
  name: string
  description: string
}

export interface Role {
  roleRef: number
  applicationRef: number
  name: string
  description: string
}

export interface Action {
  actionRef: number
  applicationRef: number
  name: string
  description: string
}

interface StoredUser extends User {
  username: string
  avatarColor: string | null
  createdBy: number | null
  updatedBy: number | null
}

/** The initial rows of a service with this many sample users. */
export function sampleOf(users = 20) {
  const parts = sample(users)
  const rowsOf = <Row>(noun: string) =>
    parts.flatMap((part) => ('noun' in part && part.noun === noun ? [...part.rows] : [])) as Row[]
  const pairsOf = (link: string) =>
    parts.flatMap((part) => ('link' in part && `${part.link}` === link ? [...part.rows] : []))
  return {
    users: rowsOf<StoredUser>('user'),
    departments: rowsOf<Department>('department'),
    preferences: rowsOf<Preference & { user: number }>('preference'),
    applications: rowsOf<Application>('application'),
    roles: rowsOf<Role>('role'),
    actions: rowsOf<Action>('action'),
    userRoles: pairsOf('user,role'),
    roleActions: pairsOf('role,action'),
  }
}

export const shapes = {
  userItem: ['id', 'firstName', 'lastName', 'email'],
  userSummary: ['id', 'firstName', 'lastName'],
  user: [
    'id',
    'firstName',
    'lastName',
    'email',
    'phone',
    'extension',
    'status',
    'department',
    'supervisor',
    'created',
    'lastUpdated',
  ],
  accessUserItem: ['id', 'firstName', 'lastName', 'username', 'email'],
  accessUser: [
    'id',
    'firstName',
    'lastName',
    'username',
    'email',
    'avatarColor',
    'createdDate',
    'createdBy',
    'updatedDate',
    'updatedBy',
  ],
  preference: ['id', 'type', 'enabled', 'value'],
  department: ['id', 'name', 'retired'],
  application: ['applicationRef', 'guid', 'name', 'description'],
  role: ['roleRef', 'applicationRef', 'name', 'description'],
  action: ['actionRef', 'applicationRef', 'name', 'description'],
} as const

/** Only these properties of a record. */
export function only<R extends object, K extends keyof R>(record: R, names: readonly K[]): Pick<R, K> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<R, K>
}

/** A stored user in the v1 api. */
export function asAccessUser({ created, lastUpdated, ...user }: StoredUser): AccessUser {
  return only({ ...user, createdDate: created, updatedDate: lastUpdated }, shapes.accessUser)
}

/** The required fields of POST /user, with a unique e-mail. */
export function newUser(name = 'new.user', overrides: Partial<Omit<User, 'id'>> = {}) {
  return { firstName: 'New', lastName: 'User', email: `${name}@example.com`, department: 1, ...overrides }
}

export const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
