/** The origins that the console needs for a sign-in: the issuer, and its token endpoint if that is on another host. */
import { issuerDocument } from '../../auth/issuer-document.ts'

/** The timeout of the fetch, and the pause before another attempt. */
const timeoutMs = 1000
const retryDelayMs = 10_000

/** Returns a function that fetches the discovery document of the issuer at its first call. */
export function signInOrigins(issuer: string | undefined): () => Promise<readonly string[]> {
  if (issuer === undefined) return async () => []
  const issuerOrigin = new URL(issuer).origin
  let originsPromise: Promise<readonly string[] | undefined> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  const fetchOrigins = async () => {
    const { token_endpoint: tokenEndpoint } = await issuerDocument(issuer, timeoutMs)
    const origin = URL.parse(`${tokenEndpoint}`)?.origin
    return origin === undefined || origin === 'null' ? [issuerOrigin] : [...new Set([issuerOrigin, origin])]
  }
  return async () => {
    if (performance.now() - triedAt > retryDelayMs) {
      originsPromise ??= fetchOrigins().catch(() => {
        originsPromise = undefined
        return undefined
      })
      triedAt = performance.now()
    }
    // Without the document, users cannot sign in, but they can still paste a token.
    return (await originsPromise) ?? [issuerOrigin]
  }
}
