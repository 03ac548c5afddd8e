/** Reads access logs wherever they lie: files, compressed or not, folders of them, standard input. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../command-error.ts'

/** What a folder holds beside its logs is left alone. */
const isLog = /\.log(\.|$)|\.gz$/

const pieceSize = 1024 * 1024

export interface LogSource {
  readonly name: string
  /** In bytes, as it lies on the disk; unknown for standard input. */
  readonly size: number | undefined
  /** Its bytes, and how many of those on the disk they were made of so far. */
  pieces(): AsyncGenerator<{ readonly bytes: Uint8Array; readonly read: number }>
}

/** All logs that the words name, those of a folder by their names. */
export function logSources(words: readonly string[]): readonly LogSource[] {
  return words.flatMap((word) => {
    if (word === '-') return [{ name: 'standard input', size: undefined, pieces: () => piecesOf(process.stdin, false) }]
    const found = statSync(word, { throwIfNoEntry: false })
    if (!found)
      throw new CommandError(`There is no ${word}.`, 'Name access logs, folders of them, or - for standard input.', 1)
    if (!found.isDirectory()) return [fileSource(word)]
    const names = readdirSync(word).filter((name) => isLog.test(name) && statSync(join(word, name)).isFile())
    if (names.length === 0)
      throw new CommandError(
        `${word} holds no access log.`,
        'Logs are called .log, .log.1 or .gz: name others one by one.',
        1,
      )
    return names.sort().map((name) => fileSource(join(word, name)))
  })
}

function fileSource(path: string): LogSource {
  const isCompressed = path.endsWith('.gz')
  const pieces = () => piecesOf(createReadStream(path, { highWaterMark: pieceSize }), isCompressed)
  return { name: path, size: statSync(path).size, pieces }
}

async function* piecesOf(stream: NodeJS.ReadableStream, isCompressed: boolean) {
  let read = 0
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  const unpacked = isCompressed ? stream.pipe(createGunzip({ chunkSize: pieceSize })) : stream
  // A stream that breaks does not tell the one behind it.
  if (isCompressed) stream.on('error', (error) => (unpacked as ReturnType<typeof createGunzip>).destroy(error))
  for await (const chunk of unpacked) yield { bytes: chunk as Uint8Array, read }
}
