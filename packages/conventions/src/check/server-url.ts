/** The URL of the service in its document. */
import { isObject } from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'

/** The URL of the first server, with the default values of its variables; undefined if the document has none. */
export function serverUrl({ servers }: OpenApiDocument): string | undefined {
  const [server] = Array.isArray(servers) ? servers : []
  if (!isObject(server) || typeof server.url !== 'string') return undefined
  const variables = isObject(server.variables) ? server.variables : {}
  return server.url.replaceAll(/\{([^}]*)\}/g, (match, name: string) => {
    const variable = variables[name]
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : match
  })
}
