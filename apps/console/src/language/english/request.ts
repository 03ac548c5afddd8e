/** The panel that shows the requests of the page. */
import type { Format } from '../format.ts'

export function requestMessages({ number }: Format) {
  return {
    body: 'Body',
    clear: 'Clear',
    client: 'Typed client',
    clientCall: 'client call',
    closeRequests: 'Close requests',
    copied: 'Copied',
    copy: (name: string) => `Copy ${name}`,
    curl: 'curl',
    curlCommand: 'curl command',
    edit: 'Edit',
    editTitle: 'Edit request',
    filter: 'Filter requests',
    headers: 'Headers',
    method: 'Method',
    milliseconds: (duration: number) => `${number(duration)} ms`,
    noMatch: 'No requests match.',
    noRequests: 'No requests yet.',
    noStatus: 'none',
    pathField: 'path',
    pathHint: 'Begin with a slash, such as /user?pageSize=5.',
    recent: 'Recent',
    request: 'Request',
    requests: 'Requests',
    resend: 'Resend',
    resendTitle: 'Send this request again?',
    resendWarning: 'The service may change data again.',
    response: 'Response',
    responseBody: 'response body',
    status: 'Status',
  }
}
