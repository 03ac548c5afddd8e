import { type Api, api } from '../src/api/api.ts'
import type { ApiOptions } from '../src/api/api-option.ts'
import { boolean, email, identity, reference, text } from '../src/field/kinds.ts'
import { createdBy } from '../src/field/managed-kinds.ts'
import { link } from '../src/noun/link.ts'
import { noun } from '../src/noun/noun.ts'
import { operations } from '../src/operation/table.ts'
import type { AnyResource } from '../src/resource/resource.ts'

export const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
export const user = noun('user', {
  id: identity(),
  name: text(),
  email: email().unique(),
  department: reference(() => department),
  supervisor: reference(() => user)
    .nullable()
    .clearedOnDelete(),
  createdBy: createdBy(() => user),
})
export const preference = noun('preference', {
  id: identity(),
  user: reference(() => user),
  type: text(),
  enabled: boolean(),
})
export const letter = noun('letter', { id: identity(), sender: reference(() => user), receiver: reference(() => user) })
export const role = noun('role', { id: identity(), name: text() })
export const group = noun('group', { id: identity(), name: text() })
export const userRole = link(user, role)
export const groupRole = link(group, role)

export type Form = 'nested' | 'flat'
/** The operations of an unversioned api with these resources. Creates both, as the start of a service does. */
export function operationsOf(
  resources: readonly AnyResource[],
  writes: Form = 'nested',
  options: Partial<ApiOptions> = {},
) {
  const definition: Api<'directory', ApiOptions> = api('directory', {
    versioning: 'per-noun',
    writes,
    ...options,
    resources,
  })
  return operations(definition)
}
