/**
 * The records of a JSON file as lines, one each, in constant memory. The records are the elements of its array, the elements
 * of an array among the members of its object, or objects one after the other.
 */
import { maxBytes } from './file-record.ts'
import { JsonMembers } from './json-members.ts'

const [tab, lineFeed, carriageReturn, space, quote, comma, backslash] = [9, 10, 13, 32, 34, 44, 92]
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125]
const byteOrderMark = [0xef, 0xbb, 0xbf]
const nothing = new Uint8Array()

/** Why a file has no elements; `begin` holds its first bytes, `names` the arrays that its object has instead. */
export type JsonFileFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'not-json'; readonly begin: Uint8Array }
  | { readonly kind: 'no-array'; readonly names: readonly string[] }

export class JsonFileError extends Error {
  override readonly name = 'JsonFileError'
  readonly fault: JsonFileFault

  constructor(fault: JsonFileFault) {
    super(`The file has no elements: ${fault.kind}.`)
    this.fault = fault
  }
}

type State = 'before' | 'members' | 'array' | 'objects' | 'after'

export class JsonElements {
  readonly #member: string
  #state: State = 'before'
  #members = new JsonMembers()
  /** An object that may be a record: it is one if none of its members is an array. */
  #held: Uint8Array = nothing
  /** How many brackets of the present element are open, and whether a text is. */
  #depth = 0
  #isText = false
  #isEscaped = false
  /** Whether anything of the present element was there. */
  #isBegun = false
  #isFirst = true
  /** The other members of an object may follow its array. */
  #isMember = false
  #isStray = false

  /** `member` names the array if the file is an object of several. */
  constructor(member: string) {
    this.#member = member
  }

  /** Takes the next bytes of the file, and returns what they add to the lines. Throws a JsonFileError if there are no elements. */
  take(chunk: Uint8Array): Uint8Array {
    if (this.#state !== 'before') return this.#read(chunk)
    this.#held = joined(this.#held, chunk)
    // Enough to say in a message how the file begins.
    return this.#held.length < 4 ? nothing : this.#read(this.#begin())
  }

  /** The file is at its end. The last line is not whole if the file is cut off. */
  end(): { readonly lines: Uint8Array; readonly fault?: 'cut-off' | 'stray' } {
    const lines = this.#state === 'before' ? this.#read(this.#begin()) : nothing
    if (this.#state === 'before') throw new JsonFileError({ kind: 'empty' })
    if (this.#state === 'members') throw this.#missing()
    if (this.#state === 'array' || (this.#state === 'objects' && this.#depth > 0)) return { lines, fault: 'cut-off' }
    return this.#isStray ? { lines, fault: 'stray' } : { lines }
  }

  /** Returns the held bytes from the first bracket on, without that of an array. */
  #begin(): Uint8Array {
    const held = this.#held
    const at = held.findIndex((byte) => !isBlank(byte) && !byteOrderMark.includes(byte))
    const first = held[at]
    this.#held = nothing
    if (first === undefined) return nothing
    if (first !== openArray && first !== openObject)
      throw new JsonFileError({ kind: 'not-json', begin: held.subarray(at, at + 20) })
    this.#state = first === openArray ? 'array' : 'members'
    return held.subarray(first === openArray ? at + 1 : at)
  }

  #read(chunk: Uint8Array): Uint8Array {
    const bytes = this.#state === 'members' ? this.#search(chunk) : chunk
    if (this.#state === 'array' || this.#state === 'objects') return this.#lines(bytes)
    if (this.#state === 'after' && !this.#isMember) this.#isStray ||= bytes.some((byte) => !isBlank(byte))
    return nothing
  }

  /** Returns the bytes that are to be read as elements. */
  #search(bytes: Uint8Array): Uint8Array {
    const { isArraySeen } = this.#members
    const begin = this.#members.find(bytes, this.#member)
    if (begin === 'none') {
      if (this.#members.names.length > 0) throw this.#missing()
      this.#state = 'objects'
      return joined(this.#held, bytes)
    }
    if (begin !== undefined) {
      this.#state = 'array'
      this.#isMember = true
      return bytes.subarray(begin)
    }
    if (!isArraySeen) this.#hold(bytes)
    return nothing
  }

  #hold(bytes: Uint8Array): void {
    const isRecord = !this.#members.isArraySeen && this.#held.length + bytes.length <= maxBytes
    this.#held = isRecord ? joined(this.#held, bytes) : nothing
    if (!isRecord && !this.#members.isArraySeen) throw this.#missing()
  }

  #missing(): JsonFileError {
    const { names } = this.#members
    return new JsonFileError(names.length === 0 ? { kind: 'cut-off' } : { kind: 'no-array', names })
  }

  #lines(bytes: Uint8Array): Uint8Array {
    // Objects one after the other get a line feed each.
    const lines = new Uint8Array(bytes.length * 2)
    let length = 0
    let [depth, isText, isEscaped, isBegun] = [this.#depth, this.#isText, this.#isEscaped, this.#isBegun]
    const isArray = this.#state === 'array'
    let at = 0
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
        // A text that its line does not close is open by mistake: it must not swallow the records behind it.
        else if (byte === lineFeed) isText = false
        // As wrong in a text as the line feed was.
        lines[length++] = byte === lineFeed ? tab : byte
      } else if (isBlank(byte)) {
        if (isBegun && lines[length - 1] !== space) lines[length++] = space
      } else if (isArray && depth === 0 && (byte === comma || byte === closeArray)) {
        const isEnd = byte === closeArray
        if (!isEnd || isBegun || !this.#isFirst) lines[length++] = lineFeed
        isBegun = false
        this.#isFirst = false
        if (!isEnd) continue
        this.#state = 'after'
        break
      } else {
        isBegun = true
        if (byte === quote) isText = true
        else if (byte === openObject || byte === openArray) depth++
        else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1)
        lines[length++] = byte
        if (!isArray && depth === 0 && byte === closeObject) {
          lines[length++] = lineFeed
          isBegun = false
        }
      }
    }
    this.#depth = depth
    this.#isText = isText
    this.#isEscaped = isEscaped
    this.#isBegun = isBegun
    if (this.#state === 'after') this.#read(bytes.subarray(at + 1))
    return lines.subarray(0, length)
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function isBlank(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab
}
