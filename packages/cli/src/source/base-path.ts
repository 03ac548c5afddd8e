/** The path of an OpenAPI document's server, which comes before every path of the document. */
import type { OpenApiTable } from '@nomen/core/openapi'

/** The path in the URL of the first server: `/api/v1`. */
export function basePath({ serverUrl = '' }: Pick<OpenApiTable, 'serverUrl'>): string {
  return serverUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/$/, '')
}
