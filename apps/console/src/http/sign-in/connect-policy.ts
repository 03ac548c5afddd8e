/** Narrows the content security policy of the page once it is known which hosts it needs. */

/** Lets the browser connect only to these origins and to that of the page. */
export function restrictConnections(urls: readonly string[]): void {
  const origins = [...new Set(urls.map((url) => new URL(url, document.baseURI).origin))]
  // A policy cannot contain an IPv6 address.
  if (origins.some((origin) => origin.includes('['))) return
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = ['connect-src', "'self'", ...origins].join(' ')
  document.head.append(meta)
}
