/** The endpoints for `nomen usage`, from a service file or an OpenAPI document. */
import { type Endpoint, endpointOf, pagesOf } from '@nomen/core/usage'
import { loadService } from '../service-file/load.ts'

/** `pages` are built-in paths of a Nomen service, such as `/health`. For a document of another service they are unknown. */
export async function endpointsOf(
  source: string | undefined,
): Promise<{ readonly endpoints: readonly Endpoint[]; readonly pages: readonly string[] }> {
  if (source !== undefined && /\.(ya?ml|json)$|^https?:\/\//i.test(source))
    return { endpoints: await documentEndpoints(source), pages: [] }
  const { operations } = await loadService(source)
  const endpoints = operations.map(endpointOf)
  return { endpoints, pages: pagesOf(endpoints) }
}

async function documentEndpoints(source: string): Promise<readonly Endpoint[]> {
  const { readDocument } = await import('@nomen/conventions')
  const { readOpenApi } = await import('@nomen/core/openapi')
  const { basePath } = await import('../source/base-path.ts')
  const document = await readDocument(source)
  const prefix = basePath(document)
  return readOpenApi(document).operations.map(({ method, path, raw }) => ({
    id: typeof raw.operationId === 'string' ? raw.operationId : `${method} ${path}`,
    method: method.toUpperCase(),
    path: `${prefix}${path}`,
  }))
}
