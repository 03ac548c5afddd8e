/** The endpoints whose usage is asked for: those of a service file, or of any OpenAPI document. */
import type { JsonObject } from '@nomen/conventions'
import { type Endpoint, endpointOf } from '@nomen/core/usage'
import { loadService } from '../service-file/load.ts'

export async function endpointsOf(source: string | undefined): Promise<readonly Endpoint[]> {
  if (source !== undefined && /\.(ya?ml|json)$|^https?:\/\//i.test(source)) return documentEndpoints(source)
  const { operations } = await loadService(source)
  return operations.map(endpointOf)
}

async function documentEndpoints(source: string): Promise<readonly Endpoint[]> {
  const { readDocument } = await import('@nomen/conventions')
  const { readOpenApi } = await import('@nomen/core/openapi')
  const document = await readDocument(source)
  const prefix = basePath(document)
  return readOpenApi(document).operations.map(({ method, path, raw }) => ({
    id: typeof raw.operationId === 'string' ? raw.operationId : `${method} ${path}`,
    method: method.toUpperCase(),
    path: `${prefix}${path}`,
  }))
}

/** What the first server of a document puts before every path. */
function basePath({ servers }: JsonObject): string {
  const [server] = Array.isArray(servers) ? servers : []
  const url = `${(server as JsonObject | undefined)?.url ?? ''}`
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/$/, '')
}
