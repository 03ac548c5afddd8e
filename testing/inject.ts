/** Sends a request to a service in process as `node:http` would, with what only a connection has. */
import type { RequestListener } from 'node:http'
import { type InjectOptions, inject as injectInto, type Response } from 'light-my-request'

export function inject(
  service: { readonly listener: RequestListener },
  request: InjectOptions | string,
): Promise<Response> {
  return injectInto(service.listener, request)
}
