/** The part of the provider that the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly AccessToken: { find(token: string): Promise<object | undefined> }
  }
}
