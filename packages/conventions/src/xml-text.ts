/** Text within XML: in an element, or in an attribute between double quotes. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML cannot hold control characters at all. */
export function xmlText(text: string): string {
  const clean = text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd')
  return clean.replaceAll(/[&<>"]/g, (one) => entities[one] ?? '')
}
