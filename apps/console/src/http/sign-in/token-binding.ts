/** Binds tokens to the service that they were issued for: a link to the console never takes a token elsewhere. */

/** The requests that share a token. */
export interface TokenBinding {
  /** The bases and the documents. Another document may describe other operations of the same base, so it takes a token of its own. */
  readonly key: string
  /** Where the token is sent to: these URLs and those below. */
  readonly bases: readonly string[]
}

interface DocumentSource {
  readonly url: string
  readonly base: string
}

/** Documents that the settings name are one service. A link may name anything, so each of its bases has a token of its own. */
export function bindTokens(
  documents: readonly DocumentSource[],
  isNamedByLink: boolean,
): (base: string) => TokenBinding {
  const bindings = new Map<string, TokenBinding>()
  for (const { base } of documents) {
    const bound = isNamedByLink ? documents.filter((document) => document.base === base) : documents
    const bases = [...new Set(bound.map((document) => document.base))]
    bindings.set(base, { key: JSON.stringify([bases, bound.map(({ url }) => url)]), bases })
  }
  return (base) => bindings.get(base) ?? { key: '', bases: [] }
}
