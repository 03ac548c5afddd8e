/** Declarations that examples of docs/authorization.md refer to. */
import { api, identity, link, noun, reference, resource, tenant, text } from '@nomen/core'
import { user } from '@nomen/directory'

export { access, application, directory, role, user } from '@nomen/directory'
export { service } from '@nomen/server'

export const team = noun('team', { id: identity(), name: text() })
export const member = noun('member', { id: identity(), team: reference(() => team) })
export const teamUser = link(team, user)
export const membership = noun('membership', {
  id: identity(),
  team: reference(() => team),
  user: reference(() => user),
})
const note = noun('note', { id: identity('guid'), tenant: tenant(), title: text().unique() })
export const notes = api('notes', { versioning: 'per-noun', writes: 'flat', resources: [resource(note)] })
