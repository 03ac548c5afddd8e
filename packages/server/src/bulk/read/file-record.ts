/** A record as it stands in a file: its place, its text, and what was read from it or what is wrong with it. */
import type { TextBlock } from './text-block.ts'

interface Place {
  /** The number of its first line in the file, from 1; of a JSON array, the number of the record. */
  readonly line: number
  readonly text: string
}

export type FileRecord<Content> = Place & ({ readonly content: Content } | { readonly fault: string })

/** What records of a file are counted by. */
export type Unit = 'line' | 'record'

/** Reads a file block by block. */
export interface RecordReader<Content> {
  records(block: TextBlock): Iterable<FileRecord<Content>>
  /** Reads the text of one record again. */
  again(text: string): Content
}
