/** The initial mock records. Their references need not be consistent, because user interfaces only show them. */
import type { Action, Application, DetailedUser, Role, User } from './types.ts'

export const actions: readonly Action[] = [
  { actionRef: 1, applicationRef: 1, name: 'order.read', description: 'See orders' },
  { actionRef: 2, applicationRef: 1, name: 'order.write', description: 'Enter and change orders' },
  { actionRef: 3, applicationRef: 1, name: 'order.approve', description: 'Release orders above the limit' },
  { actionRef: 4, applicationRef: 2, name: 'stock.count', description: 'Record a count of the shelves' },
  { actionRef: 5, applicationRef: 2, name: 'stock.correct', description: 'Correct the quantity on hand' },
]

const [readOrder, writeOrder, approveOrder, countStock, correctStock] = actions as [
  Action,
  Action,
  Action,
  Action,
  Action,
]

export const roles: readonly Role[] = [
  {
    roleRef: 1,
    applicationRef: 1,
    name: 'Clerk',
    description: 'Takes orders on the phone',
    actions: [readOrder, writeOrder],
  },
  {
    roleRef: 2,
    applicationRef: 1,
    name: 'Manager',
    description: 'Answers for a team of clerks',
    actions: [readOrder, approveOrder],
  },
  { roleRef: 3, applicationRef: 2, name: 'Counter', description: 'Walks the aisles in January', actions: [countStock] },
  {
    roleRef: 4,
    applicationRef: 2,
    name: 'Storekeeper',
    description: 'Keeps the books of the store',
    actions: [countStock, correctStock],
  },
]

const [clerk, manager, counter, storekeeper] = roles as [Role, Role, Role, Role]

export const applications: readonly Application[] = [
  { applicationRef: 1, name: 'Orders', description: 'Where orders are taken and released', roles: [clerk, manager] },
  { applicationRef: 2, name: 'Stock', description: 'Goods and their shelves', roles: [counter, storekeeper] },
  { applicationRef: 3, name: 'Payroll', description: 'Not in use yet', roles: [] },
]

export const users: readonly User[] = [
  {
    userRef: 1,
    name: 'Marta Lindqvist',
    email: 'marta.lindqvist@example.com',
    roles: [manager],
    actions: [readOrder, approveOrder],
  },
  {
    userRef: 2,
    name: 'Tomasz Brzeziński',
    email: 'tomasz.brzezinski@example.com',
    roles: [clerk],
    actions: [readOrder, writeOrder],
  },
  {
    userRef: 3,
    name: 'Ngozi Adeyemi',
    email: 'ngozi.adeyemi@example.com',
    roles: [counter, clerk],
    actions: [countStock, readOrder, writeOrder],
  },
]

export const people: readonly DetailedUser[] = [
  {
    ref: 1,
    firstName: 'Marta',
    lastName: 'Lindqvist',
    fullName: 'Marta Lindqvist',
    email: 'marta.lindqvist@example.com',
    department: 'Sales',
    title: 'Team lead',
    createdOn: '2024-03-04T09:12:00Z',
    updatedOn: '2026-01-19T14:03:00Z',
  },
  {
    ref: 2,
    firstName: 'Tomasz',
    lastName: 'Brzeziński',
    fullName: 'Tomasz Brzeziński',
    email: 'tomasz.brzezinski@example.com',
    department: 'Sales',
    title: 'Clerk',
    createdOn: '2025-09-01T07:30:00Z',
    updatedOn: '2025-09-01T07:30:00Z',
  },
]
