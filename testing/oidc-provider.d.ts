/** What the tests use of oidc-provider, which comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly AccessToken: { find(token: string): Promise<object | undefined> }
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this
  }
}
