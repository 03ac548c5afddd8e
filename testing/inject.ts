/** Sends a request to a service in this process, like `node:http`. */
import type { RequestListener } from 'node:http'
import { type InjectOptions, inject as injectInto, type Response } from 'light-my-request'

export function inject(
  service: { readonly listener: RequestListener },
  request: InjectOptions | string,
): Promise<Response> {
  return injectInto(service.listener, request)
}
