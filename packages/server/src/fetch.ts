/** `@nomen/server/fetch`: the service as a function from a web `Request` to a web `Response`. */
import type { Service } from './define/definition.ts'
import { type OpenService, open } from './service.ts'
import type { Settings } from './settings.ts'

export interface FetchHandler {
  (request: Request): Promise<Response>
  /** Finishes requests in flight, and closes log and store. */
  close(): Promise<void>
}

/**
 * Handles web requests, for Hono, Next.js, Bun, Deno and tests. The service is opened with the first request.
 *
 * @example
 * ```ts
 * const handler = fetchHandler(directory, { database: 'sqlite:data/directory.db' })
 * export { handler as GET, handler as POST, handler as PUT, handler as PATCH, handler as DELETE }
 * ```
 */
export function fetchHandler(service: Service, settings: Settings): FetchHandler {
  let opening: Promise<OpenService> | undefined
  const handler = async (request: Request) => {
    opening ??= open(service, settings).catch((error) => {
      opening = undefined
      throw error
    })
    return (await opening).fetch(request)
  }
  return Object.assign(handler, { close: async () => (await opening)?.close() })
}
