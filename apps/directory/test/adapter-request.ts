/** Requests whose responses are compared between adapters, and between runtimes. None of them changes data. */
import { directoryService } from '../src/index.ts'

export type Request = [
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: string | undefined,
]

const json = { 'content-type': 'application/json' }
const headers = [{}, json, { ...json, 'if-match': '"stale"' }]
/** How a content type is read does not depend on the operation: one path gets them. */
const contentTypes = ['text/plain', 'json', '', 'application/json/more', 'a b', '; charset=utf-8']
const allHeaders = [...headers, ...contentTypes.map((type) => ({ 'content-type': type }))]
const tooLarge = `{"more":"${'x'.repeat(2 ** 20)}"}`

/** Reads of all operations, and invalid writes. */
function operationRequests(): Request[] {
  const { operations } = directoryService({ users: 0 })
  return operations.flatMap(({ method, path }): Request[] => {
    const urls = ['1', '999999', 'x'].map((value) => path.replaceAll(/\{[^}]*\}/g, value))
    if (method === 'GET') {
      const targets = urls.flatMap((url) => [url, `${url}?pageSize=2&pageNumber=2`, `${url}?nothing=1`])
      return targets.flatMap((url): Request[] => [
        ['GET', url],
        ['HEAD', url],
        ['GET', url, '{}'],
        ['HEAD', url, '{}'],
      ])
    }
    // An unknown parameter or a missing record may be reported before or after an invalid body.
    urls.push(`${urls[0]}?nothing=1`)
    const bodies = ['', '{', '[]', '{"nothing":1}']
    // DELETE ignores the body, and would delete an existing record.
    const writeTargets = method === 'DELETE' ? urls.slice(1) : urls
    return [
      ...writeTargets.flatMap((url) => bodies.map((body): Request => [method, url, body])),
      [method, `${writeTargets[0]}`, tooLarge],
    ]
  })
}

/** Requests to paths and methods that are not operations. */
const otherRequests: Request[] = [
  ['GET', '/no-such-path-at-all'],
  ['GET', '/user/'],
  ['GET', '/user/1/nothing'],
  ['DELETE', '/user'],
  ['GET', '/docs'],
  ['GET', '/usage?since=banana'],
  ['GET', '/health/live'],
]

export const requests: readonly Request[] = [...operationRequests(), ...otherRequests]

/** Whether a web `Request` can be this request: it cannot have a body with GET or HEAD. */
export function isFetchable([method, , body]: Request): boolean {
  return body === undefined || body === '' || (method !== 'GET' && method !== 'HEAD')
}

/** The headers to send with a request, in turn. */
export function headersFor([, url, body]: Request): readonly Record<string, string>[] {
  if (body === undefined) return [{}, { 'accept-encoding': 'gzip' }]
  return url.startsWith('/user') && url.split('/').length < 4 ? allHeaders : headers
}
