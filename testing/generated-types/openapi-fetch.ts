/** The directory through openapi-fetch, with the types of openapi-typescript. */
import createClient from 'openapi-fetch'
import { type DirectoryClient, type Problem, type Reply, reply } from './directory-client.ts'
import type { paths } from './dist/directory.ts'

interface Result<Body> {
  readonly data?: Body
  readonly error?: Problem
  readonly response: Response
}

async function replyOf<Body>(request: Promise<Result<Body>>): Promise<Reply<Body>> {
  const { response, data, error } = await request
  return reply<Body>(response, data, error)
}

export function openapiFetch(baseUrl: string): DirectoryClient {
  const { GET, POST, PATCH, DELETE } = createClient<paths>({ baseUrl })
  return {
    list: (query) => replyOf(GET('/user', { params: { query } })),
    create: (body) => replyOf(POST('/user', { body })),
    read: (id) => replyOf(GET('/user/{id}', { params: { path: { id } } })),
    update: (id, body, etag) =>
      replyOf(PATCH('/user/{id}', { params: { path: { id }, header: { 'If-Match': etag } }, body })),
    lookup: (email) => replyOf(GET('/user/by-email/{email}', { params: { path: { email } } })),
    delete: (id) => replyOf(DELETE('/user/{id}', { params: { path: { id } } })),
  }
}
