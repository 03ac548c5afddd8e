/** The stored records of the directory. */
import {
  boolean,
  choice,
  createdAt,
  createdBy,
  email,
  guid,
  identity,
  link,
  noun,
  reference,
  text,
  updatedAt,
  updatedBy,
} from '@nomen/core'

export const department = noun(
  'department',
  { id: identity(), name: text(), retired: boolean().default(false) },
  { description: 'A part of the organization. Users belong to one department.', label: 'name', history: true },
)

export const user = noun(
  'user',
  {
    id: identity(),
    firstName: text(),
    lastName: text().indexed(),
    username: text().unique().defaultFrom('email'),
    email: email().unique(),
    phone: text().default(''),
    extension: text().default(''),
    status: choice({ ACTIVE: ['SUSPENDED'], SUSPENDED: ['ACTIVE'] }).default('ACTIVE'),
    department: reference(() => department),
    supervisor: reference(() => user)
      .nullable()
      .clearedOnDelete(),
    avatarColor: text().nullable(),
    created: createdAt().indexed(),
    createdBy: createdBy(() => user),
    lastUpdated: updatedAt().indexed(),
    updatedBy: updatedBy(() => user),
  },
  { description: 'A person with an account.', label: ['firstName', 'lastName'], history: true },
)

export const preference = noun(
  'preference',
  {
    id: identity(),
    user: reference(() => user),
    type: text({ minLength: 1 }).example('newsletter'),
    enabled: boolean().nullable(),
    // A preference has either enabled or value.
    value: text().nullable().example(null),
  },
  {
    description: 'A setting of a user: either a switch or a value.',
    unique: [['user', 'type']],
    history: true,
  },
)

export const application = noun(
  'application',
  { applicationRef: identity(), guid: guid().unique(), name: text(), description: text() },
  { description: 'A program that users work with, and that has roles.', label: 'name' },
)

export const role = noun(
  'role',
  { roleRef: identity(), applicationRef: reference(() => application), name: text(), description: text() },
  { description: 'A set of actions in an application, given to users.', label: 'name', history: true },
)

export const action = noun(
  'action',
  {
    actionRef: identity(),
    applicationRef: reference(() => application),
    name: text(),
    description: text(),
  },
  { description: 'An operation of an application that a role allows.', label: 'name' },
)

export const userRole = link(user, role)

export const roleAction = link(role, action, { sharing: 'applicationRef' })
