/** The URL of an operation in the API reference of the service. */

import type { SentRequest } from './request-text.ts'
import { idsIn } from './route.ts'
import type { Service } from './service/service.ts'

/** Undefined if no document has the operation. `docs` is the URL of the reference. */
export function docsUrl(
  docs: string,
  { apis }: Service,
  { base, method, path }: Pick<SentRequest, 'base' | 'method' | 'path'>,
): string | undefined {
  for (const api of apis.filter((candidate) => candidate.base === base)) {
    const fitting = api.operations.filter(
      (operation) => operation.method === method && idsIn(operation.path, path) !== undefined,
    )
    // A fixed segment takes precedence over a parameter.
    const [operation] = fitting.toSorted((a, b) => parameterCount(a.path) - parameterCount(b.path))
    if (operation?.tag === undefined) continue
    const slug = api.title.toLowerCase().replaceAll(' ', '-')
    return `${docs.replace(/\/?$/, '/')}#${slug}/tag/${operation.tag}/${operation.method}${operation.path}`
  }
  return undefined
}

function parameterCount(path: string): number {
  return path.split('{').length
}
