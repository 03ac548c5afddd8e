/** Replaces control characters in names that callers choose, because a terminal would interpret them. */

export function printable(name: string): string {
  return [...name].map((character) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? '\ufffd' : character)).join('')
}
