/** The directory through the client of @hey-api/openapi-ts. */
import { type DirectoryClient, type Problem, type Reply, reply } from '../../generated-types/directory-client.ts'
import { createClient, createConfig } from '../dist/hey-api/client/index.ts'
import { userCreate, userDelete, userList, userLookupEmail, userRead, userUpdate } from '../dist/hey-api/sdk.gen.ts'

/** The part of a result that the adapter needs. There is no response if the request could not be sent. */
interface Result<Body> {
  readonly data: Body | undefined
  readonly error: Problem | undefined
  readonly response?: Response
}

async function replyOf<Body>(request: Promise<Result<Body>>): Promise<Reply<Body>> {
  const { response, data, error } = await request
  if (!response) throw new Error('The request was not sent.', { cause: error })
  return reply<Body>(response, data, error)
}

export function heyApi(baseUrl: string): DirectoryClient {
  const client = createClient(createConfig({ baseUrl }))
  return {
    list: (query) => replyOf(userList({ client, query })),
    create: (body) => replyOf(userCreate({ client, body })),
    read: (id) => replyOf(userRead({ client, path: { id } })),
    update: (id, body, etag) => replyOf(userUpdate({ client, path: { id }, body, headers: { 'If-Match': etag } })),
    lookup: (email) => replyOf(userLookupEmail({ client, path: { email } })),
    delete: (id) => replyOf(userDelete({ client, path: { id } })),
  }
}
