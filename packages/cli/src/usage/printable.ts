/** Names that callers made up, with nothing in them that a terminal or a spreadsheet would obey. */

export function printable(name: string): string {
  return [...name].map((one) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(one) ? '\ufffd' : one)).join('')
}
