/** Errors with their advice. Texts from the service are shown unchanged. */
import type { Format } from '../format.ts'

export function problemMessages({ inSeconds, number, plural }: Format) {
  const retryHint = (seconds: number | undefined) =>
    seconds === undefined || seconds < 1 ? 'in a moment' : inSeconds(Math.ceil(seconds))
  return {
    responded: (status: number, statusText: string) => `The service responded with ${status} ${statusText}`.trim(),
    badBaseUrl: (origin: string) => `The base URL on ${origin} is not valid. Use http or https, without a user name.`,
    badEndpoint: (name: string, value: string) => `${name} is ${value}, which is not an https:// URL`,
    badRecord: 'The response is not a record.',
    badPage: 'The response is neither a page nor an array.',
    badProvider: (url: string, reason: string) => `${url} is not a valid OpenID Connect provider: ${reason}.`,
    badProviderUrl: (ending: string) => `the URL does not end with ${ending}`,
    badSettings: (status: number) => `settings.json of this page is not a JSON object (HTTP status ${status}).`,
    conflict: 'This conflicts with stored data. Review the current values and try again.',
    documentMissing: (url: string, status: number) => `${url} responds with ${status}: there is no OpenAPI document.`,
    documentNotOpenApi: (url: string) => `${url} is not an OpenAPI document in JSON: it has no paths.`,
    documentUnreachable: (url: string, reason: string) => `${url} does not respond: ${reason}.`,
    fieldsToCheck: (count: number) =>
      `${number(count)} ${plural(count, { one: 'field needs', other: 'fields need' })} attention`,
    providerOrigins:
      'the sign-in page and the token endpoint have different origins. Set documents or baseUrl in settings.json, or paste a token',
    notSendableDetail: (url: string, reason: string) => `The request to ${url} cannot be sent: ${reason}.`,
    notSendableHint: 'Check the token and the headers for characters such as “…”.',
    notListed: 'Record not found',
    notListedDetail: (name: string) => `The service has ${name} only in lists, and the first page does not have it.`,
    notRead: (name: string) => `The service has no operation that reads ${name}.`,
    notSent: 'Not sent',
    notSentDetail: (url: string, base: string) => `${url} is not below ${base}.`,
    notSentHint: 'Fix the server URL or the path in the OpenAPI document.',
    providerRedirect: 'it responds with a redirect',
    providerStatus: (status: number) => `it responds with HTTP status ${status}`,
    redirect: 'Redirect',
    redirectDetail: (url: string) => `${url} responds with a redirect, and the token is not sent to another URL.`,
    redirectHint: 'Use the URL that it redirects to as the base URL of the service.',
    reload: 'Reload the record and try again.',
    request: (id: string) => `Request ${id}`,
    ruleBroken: 'A rule of the service does not allow this. Change the values named in the message and try again.',
    serverError: 'This is a server error. Send the request ID to the operator of the service.',
    signIn: 'Sign in and try again.',
    signInFailed: (issuer: string, reason: string) => `The sign-in at ${issuer} failed: ${reason}. Sign in again.`,
    somethingWrong: 'Something went wrong',
    staleRecord: 'Someone else has changed this record. Review the current values and save again.',
    status: (status: number) => `Status ${status}`,
    tooExpensive: 'The request took too long. Add a filter or remove the search, then try again.',
    tooManyRequests: (seconds: number | undefined) =>
      `Too many requests. Your input is still here: try again ${retryHint(seconds)}.`,
    unavailable: (seconds: number | undefined) =>
      `The service is not available now. Your input is still here: try again ${retryHint(seconds)}.`,
    unreachable: 'Cannot reach the service',
    unreachableDetail: (base: string, reason: string) => `${base} does not respond: ${reason}.`,
    unreachableHint: 'Is the service running, and does it allow this origin (CORS)?',
    valueTaken: 'Choose another value, or find the record that has it.',
  }
}
