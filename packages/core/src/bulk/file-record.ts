/** A block of text of a file, and the records that are read from it. */

/** The longest line and the longest record of a file, in bytes: a reader holds no more in memory. */
export const maxBytes = 16 * 1024 * 1024

export interface TextBlock {
  /** Ends in a line feed, except perhaps in the last block of a file. */
  readonly text: string
  /** Faults of lines of this block, by their number in the block, from 0. */
  readonly faults?: ReadonlyMap<number, string>
  readonly isLast: boolean
}

interface Origin {
  /** The number of its first line in the file, from 1; in a JSON array, the number of the record. */
  readonly line: number
  readonly text: string
}

export type FileRecord<Content> = Origin & ({ readonly content: Content } | { readonly fault: string })
