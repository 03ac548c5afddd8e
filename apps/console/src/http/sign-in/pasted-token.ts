/** A token as people paste it: with spaces around it, or with its scheme. */

/** The token alone; undefined if it has characters that a token cannot have. */
export function pastedToken(input: string): string | undefined {
  const token = input.trim().replace(/^bearer\s+/i, '')
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined
}
