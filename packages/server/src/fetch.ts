/** `@nomen/server/fetch`: the service as a function from a web `Request` to a web `Response`. */
import type { Service } from './define/definition.ts'
import { type OpenService, open } from './service.ts'
import type { Settings } from './settings.ts'

/** A fetch handler: a function from a web `Request` to a `Response`. */
export interface FetchHandler {
  (request: Request): Promise<Response>
  /** Waits for requests in flight, and closes the log and the database. */
  close(): Promise<void>
}

/**
 * Creates a fetch handler (`Request` to `Response`) for Hono, Next.js, Bun, Deno and tests. The first request opens the service.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const handler = fetchHandler(service, { database: 'sqlite:data/directory.db' })
 * export { handler as GET, handler as POST, handler as PUT, handler as PATCH, handler as DELETE }
 * ```
 */
export function fetchHandler(service: Service, settings: Settings): FetchHandler {
  let instance: Promise<OpenService> | undefined
  const handler = async (request: Request) => {
    instance ??= open(service, settings).catch((error) => {
      instance = undefined
      throw error
    })
    return (await instance).fetch(request)
  }
  return Object.assign(handler, { close: async () => (await instance)?.close() })
}
