/** Counts the values in a JSON body without parsing it, to reject bodies that would take long to parse. */

/** The values of bodies up to this size are not counted. */
const uncountedBytes = 65_536

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Whether a UTF-8 body has more values than the limit, including those in arrays and objects. Skips strings. */
export function hasMoreValues(body: Uint8Array, limit: number): boolean {
  if (body.length <= uncountedBytes) return false
  let count = 1
  let isQuoted = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]
    if (isQuoted) {
      if (byte === backslash) index++
      else if (byte === quote) isQuoted = false
    } else if (byte === quote) isQuoted = true
    else if ((byte === comma || byte === bracket || byte === brace) && ++count > limit) return true
  }
  return false
}
