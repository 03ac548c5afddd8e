/** Blocks of text of a file, and the records that are read from them. */

/**
 * The maximum size of a line and of a record in a file, in bytes (16 MiB). Readers do not buffer more.
 *
 * @example
 * ```ts
 * if (new TextEncoder().encode('…').length > maxBytes) throw new Error('The record is too large.')
 * ```
 */
export const maxBytes = 16 * 1024 * 1024

/** A block of text of a file. */
export interface TextBlock {
  /** Ends with a line feed, except in the last block of a file. */
  readonly text: string
  /** The faults of lines that could not be decoded, by line number in the block, from 0. */
  readonly faults?: ReadonlyMap<number, string>
  readonly isLast: boolean
}

interface RecordSource {
  /** The number of the first line in the file, from 1; in a JSON array, the number of the record. */
  readonly line: number
  readonly text: string
}

/** A record of a file: its content, or what is wrong with it. */
export type FileRecord<Content> = RecordSource & ({ readonly content: Content } | { readonly fault: string })
