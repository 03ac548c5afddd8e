/** The path of an OpenAPI document's server, which comes before every path of the document. */
import { isObject, type Json, type JsonObject } from '@nomen/core/openapi'

/** The path in the URL of the first server: `/api/v1`. */
export function basePath({ servers }: JsonObject): string {
  const [server] = Array.isArray(servers) ? servers : []
  if (!isObject(server) || typeof server.url !== 'string') return ''
  const url = withVariables(server.url, server.variables)
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/$/, '')
}

function withVariables(url: string, variables: Json | undefined): string {
  return url.replace(/\{([^}]*)\}/g, (match, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : match
  })
}
