/** The parts of oidc-provider that the tests use. The package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Context {
    readonly response: { get(header: string): string | undefined }
    set(header: string, value: string): void
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this
    readonly AccessToken: { find(token: string): Promise<object | undefined> }
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this
  }
}
