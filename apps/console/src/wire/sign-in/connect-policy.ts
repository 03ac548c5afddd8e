/** Narrows the content security policy of the page once it is known which hosts it needs. */

/** From now on the browser connects to these origins and the page's own, and to no other. */
export function allowOnly(urls: readonly string[]): void {
  const origins = [...new Set(urls.map((url) => new URL(url, document.baseURI).origin))]
  // A policy cannot name the address of an IPv6 host.
  if (origins.some((origin) => origin.includes('['))) return
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = ['connect-src', "'self'", ...origins].join(' ')
  document.head.append(meta)
}
