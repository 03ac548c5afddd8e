/** Where a load takes its bytes from. */
import { createHash } from 'node:crypto'

export interface Source {
  /** What it is called in messages. */
  readonly name: string
  /** Its length in bytes, where that is known. */
  readonly size?: number
  /** Whether it can be read more than once, from its beginning. */
  readonly isRepeatable: boolean
  bytes(): AsyncIterable<Uint8Array>
}

/** Two files with the same bytes have the same fingerprint, whatever they are called. */
export async function fingerprintOf(source: Source): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source.bytes()) hash.update(chunk)
  return hash.digest('hex')
}
