/** The source of a load: a file, or a stream of bytes. */
import { createHash } from 'node:crypto'

/** The source of a bulk load, such as a file. */
export interface Source {
  /** The name in messages. */
  readonly name: string
  /** The size in bytes, if it is known. */
  readonly size?: number
  /** Whether it can be read more than once, from its start. */
  readonly isRepeatable: boolean
  bytes(): AsyncIterable<Uint8Array>
}

/** A hash of the content. */
export async function fingerprintOf(source: Source): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source.bytes()) hash.update(chunk)
  return hash.digest('hex')
}
