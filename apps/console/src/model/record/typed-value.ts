/** Values as people type them: numbers with the decimal sign of their language, links and colors. */

/** `12,50` becomes `12.50` if the language writes a decimal comma. Other text stays unchanged. */
export function plainNumber(input: string, decimalSign: string): string {
  const text = input.trim()
  return decimalSign === ',' && /^-?\d+,\d+$/.test(text) ? text.replace(',', '.') : text
}

/** The link to a value; undefined if it is not a URL of the web or not an e-mail address. */
export function linkOf(kind: 'email' | 'url', value: string): string | undefined {
  if (kind === 'email')
    return /^[^\s@]+@[^\s@]+$/.test(value) ? `mailto:${encodeURIComponent(value).replace('%40', '@')}` : undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The value for a color picker, which knows only colors such as `#0b7285`; black for any other. */
export function pickedColor(value: string): string {
  if (/^#[\da-f]{6}$/i.test(value)) return value.toLowerCase()
  const shortDigits = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value)?.slice(1)
  return shortDigits ? `#${shortDigits.map((digit) => digit + digit).join('')}`.toLowerCase() : '#000000'
}
