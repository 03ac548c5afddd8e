/** The records that a user interface of the directory shows, each as wide as any of its views needs it. */

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

/** A person with all that is known; `SummaryUser` is a part of it, and both have one set of data. */
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
