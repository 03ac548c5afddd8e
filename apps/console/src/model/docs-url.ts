/** The URL of an operation in the API reference of the service. */

import { idsIn } from './route.ts'
import type { Service } from './service/service.ts'

/** Undefined if no document has the operation. `docs` is the URL of the reference. Without a base, any api may have the operation. */
export function docsUrl(
  docs: string,
  { apis }: Service,
  { base, method, path }: { readonly base?: string; readonly method: string; readonly path: string },
): string | undefined {
  for (const api of apis.filter((candidate) => base === undefined || candidate.base === base)) {
    const matchingOperations = api.operations.filter(
      (operation) => operation.method === method && idsIn(operation.path, path) !== undefined,
    )
    // A fixed segment takes precedence over a parameter.
    const [operation] = matchingOperations.toSorted((a, b) => parameterCount(a.path) - parameterCount(b.path))
    if (operation?.tag === undefined) continue
    const slug = api.title.toLowerCase().replaceAll(' ', '-')
    return `${docs.replace(/\/?$/, '/')}#${slug}/tag/${operation.tag}/${operation.method}${operation.path}`
  }
  return undefined
}

function parameterCount(path: string): number {
  return path.split('{').length
}
