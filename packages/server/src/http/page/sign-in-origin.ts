/** Whom a page must ask to sign someone in: the issuer, and whoever makes its tokens where that is another host. */
import { issuerDocument } from '../../auth/issuer-document.ts'

/** How long a page waits for an issuer, and for how long one that did not answer is not asked again, in milliseconds. */
const timeoutMs = 1000
const pause = 10_000

/** Gives the origins; the issuer's own document is fetched when they are first asked for. */
export function signInOrigins(issuer: string | undefined): () => Promise<readonly string[]> {
  if (issuer === undefined) return async () => []
  const own = new URL(issuer).origin
  let known: Promise<readonly string[] | undefined> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  const ask = async () => {
    const { token_endpoint: tokens } = await issuerDocument(issuer, timeoutMs)
    const origin = URL.parse(`${tokens}`)?.origin
    return origin === undefined || origin === 'null' ? [own] : [...new Set([own, origin])]
  }
  return async () => {
    if (performance.now() - triedAt > pause) {
      known ??= ask().catch(() => {
        known = undefined
        return undefined
      })
      triedAt = performance.now()
    }
    // Whoever cannot sign in may still bring a token.
    return (await known) ?? [own]
  }
}
