/** The directory through the client of swagger-typescript-api. */
import { type DirectoryClient, type Reply, reply } from '../../generated-types/directory-client.ts'
import { Api, type HttpResponse, type Problem } from '../dist/swagger-typescript-api/directory.ts'

/** The client throws the response of a failure. */
async function replyOf<Body>(request: Promise<HttpResponse<Body, unknown>>): Promise<Reply<Body>> {
  try {
    const response = await request
    return reply(response, response.data, undefined)
  } catch (failure) {
    const response = failure as HttpResponse<never, Problem>
    return reply<Body>(response, undefined, response.error)
  }
}

export function swaggerTypescriptApi(baseUrl: string): DirectoryClient {
  const { user } = new Api({ baseUrl })
  return {
    list: (query) => replyOf(user.userList(query)),
    create: (body) => replyOf(user.userCreate(body)),
    read: (id) => replyOf(user.userRead(id)),
    update: (id, body, etag) => replyOf(user.userUpdate(id, body, { headers: { 'If-Match': etag } })),
    // The client does not encode values in a path.
    lookup: (email) => replyOf(user.userLookupEmail(encodeURIComponent(email))),
    delete: (id) => replyOf(user.userDelete(id)),
  }
}
