/** What an issuer tells of itself: where its keys are, and where tokens are made. */

export interface IssuerDocument {
  /** Where it stands. */
  readonly address: string
  readonly jwks_uri?: unknown
  readonly token_endpoint?: unknown
}

/** Fetches it within so many milliseconds. */
export async function issuerDocument(issuer: string, patience: number): Promise<IssuerDocument> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const told = (await getJson(address, patience)) as { readonly issuer?: unknown }
  // A document that speaks for another issuer would lead to that one's keys.
  if (told.issuer !== issuer) throw new Error(`${address} is of the issuer "${told.issuer}", not of "${issuer}".`)
  return { ...told, address }
}

/** Fetches JSON within so many milliseconds, from this very address. */
export async function getJson(address: string, patience: number): Promise<object> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${address} answered ${response.status}.`)
  }
  const body: unknown = JSON.parse(await textOf(response, address))
  if (typeof body !== 'object' || body === null) throw new Error(`${address} answered no JSON object.`)
  return body
}

/** Keys are a few kilobytes; whoever sends more has something else in mind. */
const maxBytes = 1024 * 1024

async function textOf({ body }: Response, address: string): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop ends the connection.
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) throw new Error(`${address} answered more than ${maxBytes} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
