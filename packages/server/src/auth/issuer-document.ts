/** The OpenID Connect discovery document of an issuer: the URLs of its keys and of its token endpoint. */

export interface IssuerDocument {
  /** The URL of the document itself. */
  readonly url: string
  readonly jwks_uri?: unknown
  readonly token_endpoint?: unknown
}

/** Fetches the discovery document of an issuer. */
export async function issuerDocument(issuer: string, timeoutMs: number): Promise<IssuerDocument> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await getJson(url, timeoutMs)) as { readonly issuer?: unknown }
  // The document of another issuer would lead to the keys of that issuer.
  if (document.issuer !== issuer)
    throw new Error(`${url} belongs to the issuer "${document.issuer}", not to "${issuer}".`)
  return { ...document, url }
}

/** Fetches JSON without following redirects. */
export async function getJson(url: string, timeoutMs: number): Promise<object> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} responded with ${response.status}.`)
  }
  const body: unknown = JSON.parse(await textOf(response, url))
  if (typeof body !== 'object' || body === null) throw new Error(`${url} did not respond with a JSON object.`)
  return body
}

/** The maximum size of a response. Keys usually have a few kilobytes. */
const maxBytes = 1024 * 1024

async function textOf({ body }: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // An error in the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${url} responded with more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
