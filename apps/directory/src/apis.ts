/** The two apis of the directory: one without a version and with nested writes, and /v1 with flat writes. */
import { api, change, range, resource, savedView, webhooks } from '@nomen/core'
import { action, application, department, preference, role, roleAction, user, userRole } from './nouns.ts'

const contact = { name: 'Directory team', email: 'directory@example.com' }
const license = { name: 'MIT', identifier: 'MIT' }

export const directory = api('directory', {
  description: 'Users, their departments and preferences.',
  contact,
  license,
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, {
      // biome-ignore format: one shape, one line
      complete: ['id', 'firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor', 'created', 'lastUpdated'],
      list: ['id', 'firstName', 'lastName', 'email'],
      summary: ['id', 'firstName', 'lastName'],
      detail: true,
      by: ['email'],
      search: ['firstName', 'lastName', 'email'],
      filters: { createdOrUpdated: range('created', 'lastUpdated') },
      children: [
        resource(preference, { complete: ['id', 'type', 'enabled', 'value'], paginated: false }),
        resource(change),
      ],
    }),
    resource(department, { defaultFilter: { retired: false }, children: [resource(change)] }),
    resource(change),
    webhooks,
    resource(savedView),
  ],
})

/** The options of users in /v1, at the root and below an application. */
const account = {
  parameter: 'userRef',
  rename: { createdDate: 'created', updatedDate: 'lastUpdated' },
  // biome-ignore format: one shape, one line
  complete: ['id', 'firstName', 'lastName', 'username', 'email', 'avatarColor', 'createdDate', 'createdBy', 'updatedDate', 'updatedBy'],
  list: ['id', 'firstName', 'lastName', 'username', 'email'],
} as const

const linkedRole = resource(role, { via: userRole })
const linkedAction = resource(action, { via: roleAction })
const allowedAction = resource(action, { via: [roleAction, userRole] })

export const access = api('access', {
  description: 'Applications, and the roles and actions of their users.',
  contact,
  license,
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(user, {
      ...account,
      offers: ['list', 'read', 'replace', 'update'],
      by: ['username'],
      children: [linkedRole, resource(change)],
    }),
    resource(application, {
      by: ['guid'],
      children: [
        resource(role, { children: [linkedAction] }),
        resource(user, { ...account, via: [userRole, 'applicationRef'], children: [linkedRole, allowedAction] }),
      ],
    }),
    resource(role, { children: [linkedAction, resource(change)] }),
    resource(action),
    resource(change),
  ],
})
