/** The service of the benchmarks about history: users, whose changes are recorded or not. */
import { api, boolean, change, choice, email, identity, noun, resource, text, updatedAt } from '@nomen/core'
import { service } from '@nomen/server'
import type { BenchRequest } from '../dialect.ts'

const fields = () => ({
  id: identity(),
  firstName: text({ maxLength: 80 }),
  lastName: text({ maxLength: 80 }),
  email: email().unique(),
  phone: text().nullable(),
  active: boolean().default(true),
  status: choice('NEW', 'OPEN', 'CLOSED').default('NEW'),
  changed: updatedAt(),
})

function recordedResources() {
  const user = noun('user', fields(), { history: true })
  return [resource(user, { children: [resource(change)] }), resource(change)]
}

/** A service with this many users. */
export function userService(users: number, hasHistory: boolean) {
  const resources = hasHistory ? recordedResources() : [resource(noun('user', fields()))]
  const directory = api('directory', { versioning: 'per-noun', writes: 'nested', resources })
  const row = (id: number) => ({
    id,
    firstName: `F${id}`,
    lastName: `L${id}`,
    email: `u${id}@example.org`,
    phone: null,
  })
  const rows = Array.from({ length: users }, (_, at) => row(at + 1))
  return service({ name: 'directory', apis: [directory], sample: () => [{ noun: 'user', rows }] })
}

export function requestOf(method: BenchRequest['method'], path: string, body?: object): BenchRequest {
  return { method, path, ...(body && { body: JSON.stringify(body) }) }
}
