/** Folding: the form of a text in which `search` compares, so that case does not count. */

/**
 * Full case folding: "STRASSE", "Straße" and "STRAẞE" give one text, and so do "ΟΔΟΣ" and "οδος". Each character is
 * folded for itself, so a text that contains another still does when both are folded. Composed and decomposed
 * characters stay different.
 */
export function fold(text: string): string {
  // Capital ẞ becomes ss only by way of ß; a final ς is a σ.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
