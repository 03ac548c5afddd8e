/** Names that examples of docs/mocks.md refer to. */
import { collection, type DataOf, type Mocks, mocks } from '@nomen/core/mocks'
import type { directory } from '@nomen/directory'
import type { SetupServer } from 'msw/node'

export { directory } from '@nomen/directory'
export { delay, HttpResponse, http } from 'msw'
export { setupServer } from 'msw/node'
export { afterAll, afterEach, beforeAll, it } from 'vitest'

export type Application = { applicationRef: number; name: string }
export type Role = { roleRef: number; name: string; applicationRef: number }
export const applications: Application[] = []
export const roles: Role[] = []
export const emptyApplication = { name: '' }
export const emptyRole = { name: '', applicationRef: 0 }
export const role = collection<Role>({ ref: 'roleRef', data: roles, defaults: emptyRole })
export const mock: Mocks = mocks({ base: '*/v1', collections: { role } })
export declare const server: SetupServer
type Data = Required<DataOf<typeof directory>>
export declare const users: Data['user']
export declare const preferences: Data['preference']
export declare const departments: Data['department']
