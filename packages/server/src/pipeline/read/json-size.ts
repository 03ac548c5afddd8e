/** How many values a JSON text holds, counted without reading it: to refuse what would take long to read. */

/** Texts that are shorter, in bytes, are read whatever they hold. */
const shortText = 65_536

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Whether a text in UTF-8 holds more values than this, those in arrays and objects included. What is in quotes is skipped. */
export function holdsMoreValues(text: Uint8Array, limit: number): boolean {
  if (text.length <= shortText) return false
  let count = 1
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (isQuoted) {
      if (byte === backslash) at++
      else if (byte === quote) isQuoted = false
    } else if (byte === quote) isQuoted = true
    else if ((byte === comma || byte === bracket || byte === brace) && ++count > limit) return true
  }
  return false
}
