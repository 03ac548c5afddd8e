/** Reads access logs from files (also compressed), folders or standard input. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../command-error.ts'
import { statsOf } from '../input-file.ts'

/** File names in a folder that are logs. */
const isLog = /\.log(\.|$)|\.gz$/

const chunkBytes = 1024 * 1024

export interface LogSource {
  readonly name: string
  /** Size on disk in bytes; unknown for standard input. */
  readonly size: number | undefined
  /** The decompressed bytes, and how many bytes on disk have been read so far. */
  chunks(): AsyncGenerator<{ readonly bytes: Uint8Array; readonly bytesRead: number }>
}

/** All logs of the arguments; those of a folder are sorted by name. */
export function logSources(words: readonly string[]): readonly LogSource[] {
  return words.flatMap((word) => {
    if (word === '-') return [{ name: 'standard input', size: undefined, chunks: () => chunksOf(process.stdin, false) }]
    const stats = statsOf(word, 'Use access logs, folders, or - for standard input.')
    if (!stats.isDirectory()) return [fileSource(word)]
    const names = readdirSync(word).filter((name) => isLog.test(name) && statSync(join(word, name)).isFile())
    if (names.length === 0)
      throw new CommandError(
        `The folder ${word} contains no access log.`,
        'Log files in a folder must have names such as access.log, access.log.1 or access.log.gz. Pass files with other names as arguments.',
      )
    return names.sort().map((name) => fileSource(join(word, name)))
  })
}

function fileSource(path: string): LogSource {
  const isCompressed = path.endsWith('.gz')
  const chunks = () => chunksOf(createReadStream(path, { highWaterMark: chunkBytes }), isCompressed)
  return { name: path, size: statSync(path).size, chunks }
}

async function* chunksOf(stream: NodeJS.ReadableStream, isCompressed: boolean) {
  let bytesRead = 0
  stream.on('data', (chunk: Buffer) => {
    bytesRead += chunk.length
  })
  const unpacked = isCompressed ? stream.pipe(createGunzip({ chunkSize: chunkBytes })) : stream
  // pipe() does not forward errors.
  if (isCompressed) stream.on('error', (error) => (unpacked as ReturnType<typeof createGunzip>).destroy(error))
  for await (const chunk of unpacked) yield { bytes: chunk as Uint8Array, bytesRead }
}
