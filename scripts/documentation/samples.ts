/** Declarations that the examples in JSDoc comments refer to. */
import {
  api,
  boolean,
  choice,
  createdAt,
  createdBy,
  custom,
  email,
  identity,
  integer,
  link,
  noun,
  operation,
  operations as operationsOf,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
  updatedBy,
} from '@nomen/core'
import { service } from '@nomen/server'

export const department = noun('department', { id: identity(), name: text() })
export const user = noun('user', {
  id: identity(),
  firstName: text(),
  lastName: text(),
  email: email().unique(),
  created: createdAt(),
  department: reference(() => department),
  supervisor: reference(() => user).nullable(),
})
export const note = noun('note', {
  id: identity(),
  title: text(),
  retired: boolean().default(false),
  created: createdAt(),
  lastUpdated: updatedAt(),
  createdBy: createdBy(() => user),
  updatedBy: updatedBy(() => user),
})
export const role = noun('role', { id: identity(), name: text(), applicationRef: reference(() => department) })
export const action = noun('action', { id: identity(), name: text(), applicationRef: reference(() => department) })
export const directory = api('directory', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(user), resource(department), resource(note)],
})
export const userRole = link(user, role)
export const member = noun('member', { id: identity(), name: text() }, { computed: { openLoans: integer() } })
export const loan = noun('loan', {
  id: identity(),
  member: reference(() => member),
  status: choice('OPEN', 'RETURNED').default('OPEN'),
  due: timestamp(),
  returnedAt: timestamp().nullable().managed(),
})
export const renewal = operation({
  method: 'POST',
  on: 'record',
  body: { due: timestamp() },
  response: { due: timestamp() },
})
export const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(member), resource(loan, { operations: { renewal } })],
})
export const urgent = custom(boolean())
export const overdue = custom(boolean())
export const dueIn = custom(integer())
export const task = noun('task', {
  id: identity(),
  title: text(),
  priority: integer(),
  due: timestamp().nullable(),
})
export const team = noun('team', { id: identity(), name: text() })
export const teamUser = link(team, user)
export const project = noun('project', { id: identity(), name: text(), team: reference(() => team) })
export const membership = noun('membership', {
  id: identity(),
  team: reference(() => team),
  user: reference(() => user),
})
export const person = noun(
  'person',
  { id: identity(), firstName: text(), lastName: text() },
  { computed: { fullName: text() } },
)
export const table = operationsOf(directory)
export const directoryService = service({ name: 'directory', apis: [directory] })
