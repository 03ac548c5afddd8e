/**
 * Converts a JSON file to JSON lines (NDJSON) in constant memory. The records are the elements of an array, the elements of
 * an array in an object, or concatenated objects.
 */
import { concatBytes } from '../wire/concat-bytes.ts'
import { maxBytes } from './file-record.ts'
import { JsonMembers } from './json-members.ts'

const [tab, lineFeed, carriageReturn, space, quote, comma, backslash] = [9, 10, 13, 32, 34, 44, 92]
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125]
const byteOrderMark = [0xef, 0xbb, 0xbf]
const noBytes = new Uint8Array()

/** Why a JSON file has no records. `begin` has its first bytes, `names` the arrays that its object has. */
export type JsonFileFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'not-json'; readonly begin: Uint8Array }
  | { readonly kind: 'no-array'; readonly names: readonly string[] }

/**
 * The error of a JSON file without records, with the reason in `fault`.
 *
 * @example
 * ```ts
 * try {
 *   new JsonElements('user').end()
 * } catch (error) {
 *   if (error instanceof JsonFileError) console.error(error.fault.kind) // 'empty'
 * }
 * ```
 */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError'
  readonly fault: JsonFileFault

  constructor(fault: JsonFileFault) {
    super(`The file has no records: ${fault.kind}.`)
    this.fault = fault
  }
}

type State = 'before' | 'members' | 'array' | 'objects' | 'after'

/**
 * Converts a JSON file to JSON lines (NDJSON), one per record, chunk by chunk and in constant memory.
 *
 * @example
 * ```ts
 * const elements = new JsonElements('user')
 * const lines = elements.take(new TextEncoder().encode('[{"id":1},{"id":2}]')) // {"id":1}\n{"id":2}\n
 * const { fault } = elements.end() // undefined, 'cut-off' or 'stray'
 * ```
 */
export class JsonElements {
  readonly #member: string
  #state: State = 'before'
  #members = new JsonMembers()
  /** The first object of the file. It is a record if none of its members is an array. */
  #buffered: Uint8Array = noBytes
  /** The number of open brackets in the current element, and whether a string is open. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Whether the current element has begun. */
  #hasBegun = false
  #isFirstElement = true
  /** Whether the array is a member of an object that is not closed yet. */
  #isInObject = false
  #hasTrailingBytes = false

  /** `member` is the name of the array if the file is an object with arrays. */
  constructor(member: string) {
    this.#member = member
  }

  /**
   * Reads the next bytes of the file, and returns the lines that they complete.
   *
   * @throws JsonFileError if the file has no records
   */
  take(chunk: Uint8Array): Uint8Array {
    if (this.#state !== 'before') return this.#read(chunk)
    this.#buffered = concatBytes(this.#buffered, chunk)
    // After a byte order mark of three bytes, the fourth byte is the first one that a message about a malformed file shows.
    return this.#buffered.length < 4 ? noBytes : this.#read(this.#takeBuffered())
  }

  /**
   * Ends the file. With the fault 'cut-off' the last line may be incomplete, and with 'stray' it may not be a record.
   *
   * @throws JsonFileError if the file has no records
   */
  end(): { readonly lines: Uint8Array; readonly fault?: 'cut-off' | 'stray' } {
    const lines = this.#state === 'before' ? this.#read(this.#takeBuffered()) : noBytes
    if (this.#state === 'before') throw new JsonFileError({ kind: 'empty' })
    if (this.#state === 'members') throw this.#noArrayError()
    if (this.#state === 'array' || this.#isInObject || this.#depth > 0) return { lines, fault: 'cut-off' }
    const isStray = this.#hasTrailingBytes || (this.#state === 'objects' && this.#hasBegun)
    return isStray ? { lines, fault: 'stray' } : { lines }
  }

  /** Returns the buffered bytes from the first bracket, without the bracket of an array. */
  #takeBuffered(): Uint8Array {
    const buffered = this.#buffered
    const start = buffered.findIndex((byte) => !isBlank(byte) && !byteOrderMark.includes(byte))
    const first = buffered[start]
    this.#buffered = noBytes
    if (first === undefined) return noBytes
    if (first !== openArray && first !== openObject)
      throw new JsonFileError({ kind: 'not-json', begin: buffered.subarray(start, start + 20) })
    this.#state = first === openArray ? 'array' : 'members'
    return buffered.subarray(first === openArray ? start + 1 : start)
  }

  #read(chunk: Uint8Array): Uint8Array {
    const bytes = this.#state === 'members' ? this.#findArray(chunk) : chunk
    if (this.#state === 'array' || this.#state === 'objects') return this.#lines(bytes)
    if (this.#state === 'after') this.#hasTrailingBytes ||= this.#afterObject(bytes).some((byte) => !isBlank(byte))
    return noBytes
  }

  /** Returns the bytes after the object with the array. */
  #afterObject(bytes: Uint8Array): Uint8Array {
    if (!this.#isInObject) return bytes
    if (this.#members.find(bytes) !== 'none') return noBytes
    this.#isInObject = false
    return bytes.subarray(this.#members.end)
  }

  /** Returns the bytes that belong to elements. */
  #findArray(bytes: Uint8Array): Uint8Array {
    const { hasArray } = this.#members
    const begin = this.#members.find(bytes, this.#member)
    if (begin === 'none') {
      if (this.#members.names.length > 0) throw this.#noArrayError()
      this.#state = 'objects'
      return concatBytes(this.#buffered, bytes)
    }
    if (begin !== undefined) {
      this.#state = 'array'
      this.#isInObject = true
      return bytes.subarray(begin)
    }
    if (!hasArray) this.#buffer(bytes)
    return noBytes
  }

  #buffer(bytes: Uint8Array): void {
    const isRecord = !this.#members.hasArray && this.#buffered.length + bytes.length <= maxBytes
    this.#buffered = isRecord ? concatBytes(this.#buffered, bytes) : noBytes
    if (!isRecord && !this.#members.hasArray) throw this.#noArrayError()
  }

  #noArrayError(): JsonFileError {
    const { names } = this.#members
    return new JsonFileError(names.length === 0 ? { kind: 'cut-off' } : { kind: 'no-array', names })
  }

  #lines(bytes: Uint8Array): Uint8Array {
    // Concatenated objects get a line feed each.
    const lines = new Uint8Array(bytes.length * 2)
    let length = 0
    let [depth, isInString, isEscaped, hasBegun] = [this.#depth, this.#isInString, this.#isEscaped, this.#hasBegun]
    const isArray = this.#state === 'array'
    let index = 0
    for (; index < bytes.length; index++) {
      const byte = bytes[index] as number
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
        // A string that is not closed in its line is malformed. It must not swallow the next records.
        else if (byte === lineFeed) isInString = false
        // A tab is as invalid in a string as the line feed was.
        lines[length++] = byte === lineFeed ? tab : byte
      } else if (isBlank(byte)) {
        if (hasBegun && lines[length - 1] !== space) lines[length++] = space
      } else if (isArray && depth === 0 && (byte === comma || byte === closeArray)) {
        const isEnd = byte === closeArray
        if (!isEnd || hasBegun || !this.#isFirstElement) lines[length++] = lineFeed
        hasBegun = false
        this.#isFirstElement = false
        if (!isEnd) continue
        this.#state = 'after'
        break
      } else {
        hasBegun = true
        if (byte === quote) isInString = true
        else if (byte === openObject || byte === openArray) depth++
        else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1)
        lines[length++] = byte
        if (!isArray && depth === 0 && byte === closeObject) {
          lines[length++] = lineFeed
          hasBegun = false
        }
      }
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    this.#hasBegun = hasBegun
    if (this.#state === 'after') this.#read(bytes.subarray(index + 1))
    return lines.subarray(0, length)
  }
}

function isBlank(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab
}
