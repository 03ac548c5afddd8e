/** Folding: the form in which `search` compares strings, ignoring case, and accents if declared. */

/**
 * Full case folding: "STRASSE", "Straße" and "STRAẞE" give the same string, and so do "ΟΔΟΣ" and "οδος". Each character
 * is folded separately, so a string that contains another one still does after folding. Composed and decomposed
 * characters stay different.
 */
export function fold(text: string): string {
  // Capital ẞ becomes ss only through ß; a final ς is a σ.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** Combining marks (accents). Vowel signs of other scripts are letters, and stay. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** Letters that have no decomposition, with the letters that people type for them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't' },
}

/**
 * Case folding without accents: "Müller", "MULLER" and "muller" give the same string, and so do "Łódź" and "lodz". As with
 * `fold`, each character is folded separately. Composed and decomposed characters become equal.
 */
export function foldAccents(text: string): string {
  return fold(text).replace(/[^\0-\x7f]/gu, plainText)
}

function plainText(character: string): string {
  const decomposed = character.normalize('NFD')
  const letters = decomposed.replace(accents, '')
  // A syllable of Hangul, or a kana with its voicing, has no accents and stays composed.
  return letters === decomposed ? (plainLetters[character] ?? character) : (plainLetters[letters] ?? letters)
}
