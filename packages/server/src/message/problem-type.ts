/** The `type` of problem documents: a URN, or the URL of a page about problem codes. */

const urn = '"type":"urn:nomen:problem:'

/**
 * Returns a function that replaces the URNs in JSON by this URL, with the code as its fragment. Quotes within strings are escaped
 * in JSON, so a value cannot be taken for a member.
 */
export function problemTypeReplacer(url: string | undefined): (json: string) => string {
  if (url === undefined) return (json) => json
  const type = `"type":${JSON.stringify(`${url}#`).slice(0, -1)}`
  return (json) => json.replaceAll(urn, () => type)
}
