/** The abilities of a generated client of the directory, and the requests that prove them with a running service. */
import { expect } from 'vitest'

interface NewUser {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly department: number
}

interface User extends NewUser {
  readonly id: number
  readonly supervisor: number | null
  readonly status: 'ACTIVE' | 'SUSPENDED'
}

interface UserPage {
  readonly pageInfo: { readonly pageSize: number; readonly numberOfRecords: number }
  readonly results: readonly { readonly id: number; readonly email: string }[]
}

export interface Problem {
  readonly code: string
  readonly detail: string
}

export interface Reply<Body> {
  readonly status: number
  readonly etag: string | null
  /** The body of a success. */
  readonly body?: Body | undefined
  readonly problem?: Problem | undefined
}

/** Its types are those of the declaration, so that an implementation compiles only if the generated types fit them. */
export interface DirectoryClient {
  list(query: { pageSize?: number; supervisor?: (number | '')[] }): Promise<Reply<UserPage>>
  create(user: NewUser): Promise<Reply<User>>
  read(id: number): Promise<Reply<User>>
  update(id: number, changes: { firstName?: string; supervisor?: number | null }, etag: string): Promise<Reply<User>>
  lookup(email: string): Promise<Reply<User>>
  delete(id: number): Promise<Reply<User>>
}

/** Makes a reply from the parts that generated clients return. */
export function reply<Body>(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: Body | undefined,
  problem: Problem | undefined,
): Reply<Body> {
  return { status, etag: headers.get('ETag'), body, problem }
}

const email = 'grace.hopper+navy@example.com'

/** Sends the requests, and checks each response. The directory has the given number of sample users. */
export async function expectDirectoryClient(client: DirectoryClient, numberOfUsers: number): Promise<void> {
  const list = await client.list({ pageSize: 3 })
  expect(list).toMatchObject({ status: 200, body: { pageInfo: { pageSize: 3, numberOfRecords: numberOfUsers } } })
  expect(list.body?.results).toHaveLength(3)

  const created = await client.create({ firstName: 'Grace', lastName: 'Hopper', email, department: 1 })
  expect(created).toMatchObject({ status: 201, body: { email, status: 'ACTIVE', supervisor: null } })
  const { id = 0 } = created.body ?? {}

  const unsupervised = await client.list({ supervisor: [''], pageSize: 1000 })
  const supervised = await client.list({ supervisor: [1, 2, 3], pageSize: 1000 })
  const either = await client.list({ supervisor: ['', 1, 2, 3], pageSize: 1000 })
  const ids = ({ body }: Reply<UserPage>) => body?.results.map(({ id }) => id) ?? []
  expect(ids(unsupervised)).toContain(id)
  expect(ids(unsupervised).length).toBeLessThan(numberOfUsers)
  expect(ids(supervised).length).toBeGreaterThan(0)
  expect(ids(either).toSorted()).toEqual([...ids(unsupervised), ...ids(supervised)].toSorted())

  const read = await client.read(id)
  expect(read).toMatchObject({ status: 200, body: { id, firstName: 'Grace' } })
  const etag = read.etag ?? ''
  expect(etag).toMatch(/^".+"$/)

  const updated = await client.update(id, { firstName: 'Amazing', supervisor: 1 }, etag)
  expect(updated).toMatchObject({ status: 200, body: { id, firstName: 'Amazing', supervisor: 1 } })
  const stale = await client.update(id, { firstName: 'Lost' }, etag)
  expect(stale).toMatchObject({ status: 412, problem: { code: 'precondition-failed' } })

  expect(await client.lookup(email)).toMatchObject({ status: 200, body: { id, firstName: 'Amazing' } })
  expect(await client.delete(id)).toMatchObject({ status: 200, body: { id, firstName: 'Amazing' } })
  expect(await client.read(id)).toMatchObject({ status: 404, problem: { code: 'record-not-found' } })
  expect(await client.lookup(email)).toMatchObject({ status: 404, problem: { code: 'record-not-found' } })
}
