/** The records that a user interface of the directory shows, each with the properties of all views. */

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
  name: string
  email: string
  roles: Role[]
  actions: Action[]
}

/** A user with all properties. `SummaryUser` has some of them; both use the same mock records. */
export interface DetailedUser {
  ref: number
  firstName: string
  lastName: string
  fullName: string
  email: string
  department: string
  title: string
  createdOn: string
  updatedOn: string
}

export type SummaryUser = Pick<DetailedUser, 'ref' | 'firstName' | 'lastName'>
