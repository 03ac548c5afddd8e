/** Texts that fit into an index as a whole. Indexes of PostgreSQL contain only the first characters of others. */
import type { FieldSpec } from '@nomen/core'

/** The number of characters of a string in an index. An entry has at most 2,700 bytes, and a character up to four. */
export const indexedLength = 600

/** Whether a field is a text or URL that is never longer than an index allows. */
export function isShortText({ kind, maxLength = Number.POSITIVE_INFINITY }: FieldSpec): boolean {
  return isText(kind) && maxLength <= indexedLength
}

/** Whether a field is a text or URL that may be longer than an index allows. Values of a choice are always short. */
export function isLongText(spec: FieldSpec): boolean {
  return isText(spec.kind) && !isShortText(spec)
}

function isText(kind: FieldSpec['kind']): boolean {
  return kind === 'text' || kind === 'url'
}
