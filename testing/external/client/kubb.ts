/** The directory through the client of Kubb, with axios. */
import type { ResponseConfig } from '@kubb/plugin-client/clients/axios'
import type { DirectoryClient, Reply } from '../../generated-types/directory-client.ts'
import { userCreate, userDelete, userList, userLookupEmail, userRead, userUpdate } from '../dist/kubb/clients/index.ts'
import type { Problem } from '../dist/kubb/types/Problem.ts'

async function replyOf<Body>(request: Promise<ResponseConfig<Body>>): Promise<Reply<Body>> {
  const { status, headers, data } = await request
  const etag = typeof headers.etag === 'string' ? headers.etag : null
  return status < 300 ? { status, etag, body: data } : { status, etag, problem: data as Problem }
}

export function kubb(baseURL: string): DirectoryClient {
  // By default, axios writes a repeated parameter as a[]=1.
  const config = { baseURL, validateStatus: () => true, paramsSerializer: { indexes: null } }
  return {
    list: (query) => replyOf(userList(query, undefined, config)),
    create: (body) => replyOf(userCreate(body, undefined, config)),
    read: (id) => replyOf(userRead(id, undefined, undefined, config)),
    update: (id, body, etag) => replyOf(userUpdate(id, body, { 'If-Match': etag }, config)),
    lookup: (email) => replyOf(userLookupEmail(encodeURIComponent(email), undefined, config)),
    delete: (id) => replyOf(userDelete(id, undefined, config)),
  }
}
