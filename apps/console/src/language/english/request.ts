/** The panel that shows the requests of the page. */
import type { Format } from '../format.ts'

export function requestMessages({ number }: Format) {
  return {
    clear: 'Clear',
    client: 'Typed client',
    clientCall: 'client call',
    closeRequests: 'Close requests',
    copied: 'Copied',
    copy: (name: string) => `Copy ${name}`,
    curl: 'curl',
    curlCommand: 'curl command',
    headers: 'Headers',
    milliseconds: (duration: number) => `${number(duration)} ms`,
    noRequests: 'No requests yet.',
    noStatus: 'none',
    recent: 'Recent',
    request: 'Request',
    requests: 'Requests',
    response: 'Response',
    responseBody: 'response body',
  }
}
