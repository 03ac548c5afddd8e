/** The input of `nomen load`: a file or standard input, decompressed if needed. */
import { createReadStream, type Stats } from 'node:fs'
import { addAbortSignal, pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Source } from '@nomen/server/admin'
import { CommandError } from '../command-error.ts'
import { statsOf } from '../input-file.ts'

export interface BulkSource extends Source {
  /** The share that has been read, from 0 to 1; undefined if the length is unknown. */
  share(): number | undefined
}

const chunkBytes = 256 * 1024

export function bulkSource(path: string, signal: AbortSignal): BulkSource {
  const isInput = path === '-'
  const stats = isInput ? undefined : recordFileStats(path)
  const isFile = stats?.isFile() === true
  let firstStream: { bytesRead: number } | undefined
  return {
    name: path,
    ...(isFile && { size: stats.size }),
    isRepeatable: isFile,
    share: () => (isFile ? (firstStream?.bytesRead ?? 0) / Math.max(1, stats.size) : undefined),
    async *bytes() {
      const stream = isInput ? process.stdin : createReadStream(path, { highWaterMark: chunkBytes })
      // A second read computes the checksum and must not count as progress.
      if ('bytesRead' in stream) firstStream ??= stream
      try {
        yield* unzip(untilStopped(stream, signal))
      } catch (error) {
        if (!signal.aborted) throw unreadable(isInput ? 'Standard input' : path, error)
      }
    },
  }
}

function recordFileStats(path: string): Stats {
  const fix = 'Use a CSV, NDJSON or JSON file, or - for standard input.'
  const stats = statsOf(path, fix)
  if (stats.isDirectory()) throw new CommandError(`${path} is a folder.`, fix)
  return stats
}

function unreadable(name: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : `${error}`
  const isGzipError = error instanceof Error && 'code' in error && /^Z_/.test(`${error.code}`)
  return new CommandError(
    `${name} cannot be ${isGzipError ? 'decompressed' : 'read'}: ${reason}.`,
    isGzipError
      ? 'The file is damaged or incomplete. Records that were loaded remain.'
      : 'Use a file that you have permission to read. Records that were loaded remain.',
    1,
  )
}

/** Ends when the signal is aborted, also while it waits for more bytes. */
async function* untilStopped(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, stream)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Decompresses gzip, which it detects by the first bytes and not by the name of the file. */
async function* unzip(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: firstChunk, done } = await bytes.next()
  if (done) return
  async function* allChunks() {
    yield firstChunk
    yield* bytes
  }
  const isCompressed = firstChunk[0] === 0x1f && firstChunk[1] === 0x8b
  yield* isCompressed ? pipeline(allChunks, createGunzip({ chunkSize: chunkBytes }), () => undefined) : allChunks()
}
