/**
 * The records of a JSON file as lines, one each, in the same memory however long the file is. They are the elements of its
 * array; of an array among the members of its object; or objects that stand one after the other.
 */
import { nearest } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import { BulkError } from '../error.ts'
import { JsonMembers } from './json-members.ts'
import { maxBytes, withoutMark } from './text-block.ts'

const [tab, lineFeed, carriageReturn, space, quote, comma, backslash] = [9, 10, 13, 32, 34, 44, 92]
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125]

type Place = 'before' | 'members' | 'array' | 'objects' | 'after'

export class JsonElements {
  readonly #member: string
  #place: Place = 'before'
  #members = new JsonMembers()
  /** An object that may be a record: it is one if none of its members is an array. */
  #held: Buffer = Buffer.alloc(0)
  /** How many brackets of the present element are open, and whether a text is. */
  #depth = 0
  #isText = false
  #isEscaped = false
  /** Whether anything of the present element was there. */
  #isBegun = false
  #isFirst = true
  /** The other members of an object stand behind its array, and that is no fault. */
  #isMember = false
  #isStray = false

  /** `member` names the array where the file is an object of several. */
  constructor(member: string) {
    this.#member = member
  }

  /** Takes the next bytes of the file, and gives what they add to the lines. */
  take(chunk: Buffer): Buffer {
    let bytes = chunk
    if (this.#place === 'before') {
      bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
      this.#held = bytes
      // A byte order mark may come in pieces.
      if (bytes.length < 3) return Buffer.alloc(0)
      bytes = this.#begin(withoutMark(bytes))
    }
    if (this.#place === 'members') bytes = this.#search(bytes)
    if (this.#place === 'array' || this.#place === 'objects') return this.#lines(bytes)
    if (this.#place === 'after' && !this.#isMember) this.#isStray ||= bytes.some((byte) => !isBlank(byte))
    return Buffer.alloc(0)
  }

  /** The file is at its end: what is wrong with that, if anything is. */
  end(): { readonly lines: Buffer; readonly fault?: string } {
    const lines = this.#place === 'before' ? this.#few() : Buffer.alloc(0)
    if (this.#place === 'before') throw new BulkError('The file is empty.', 'It holds an array of objects.')
    if (this.#place === 'members') throw this.#missing()
    if (this.#place === 'array' || (this.#place === 'objects' && this.#depth > 0)) return { lines, fault: cutOff }
    return this.#isStray ? { lines, fault: stray } : { lines }
  }

  /** So few bytes that nothing could be told of them yet. */
  #few(): Buffer {
    const rest = this.#begin(this.#held)
    return this.#place === 'before' ? rest : this.take(rest)
  }

  /** Gives the bytes after the first bracket. */
  #begin(bytes: Buffer): Buffer {
    const at = bytes.findIndex((byte) => !isBlank(byte))
    const first = bytes[at]
    if (first === undefined) {
      this.#held = Buffer.alloc(0)
      return this.#held
    }
    if (first !== openArray && first !== openObject) {
      const text = bytes.toString('utf8', at, at + 20)
      throw new BulkError(`The file is no JSON: it begins with ${quoted(text)}.`, 'It holds an array of objects.')
    }
    this.#place = first === openArray ? 'array' : 'members'
    this.#held = Buffer.alloc(0)
    return bytes.subarray(first === openArray ? at + 1 : at)
  }

  /** Gives what is to be read as elements. */
  #search(bytes: Buffer): Buffer {
    const { isArraySeen } = this.#members
    const found = this.#members.find(bytes, this.#member)
    if (found === 'none') {
      if (this.#members.names.length > 0) throw this.#missing()
      this.#place = 'objects'
      return Buffer.concat([this.#held, bytes])
    }
    if (found !== undefined) {
      this.#place = 'array'
      this.#isMember = true
      return bytes.subarray(found)
    }
    if (!isArraySeen) this.#hold(bytes)
    return Buffer.alloc(0)
  }

  #hold(bytes: Buffer): void {
    const isRecord = !this.#members.isArraySeen && this.#held.length + bytes.length <= maxBytes
    this.#held = isRecord ? Buffer.concat([this.#held, bytes]) : Buffer.alloc(0)
    if (!isRecord && !this.#members.isArraySeen) throw this.#missing()
  }

  #missing(): BulkError {
    const { names } = this.#members
    if (names.length === 0)
      return new BulkError('The file is cut off: its object has no end.', 'It holds an array of objects.')
    const near = nearest(this.#member, names) ?? names[0]
    return new BulkError(
      `The file is an object without an array ${quoted(this.#member)}: it has ${names.map((name) => quoted(name)).join(', ')}.`,
      `Name the one with the records: --member ${near}`,
    )
  }

  #lines(bytes: Buffer): Buffer {
    // Where objects stand side by side, each gets a line feed that was not there.
    const lines = Buffer.allocUnsafe(bytes.length * 2)
    let length = 0
    let [depth, isText, isEscaped, isBegun] = [this.#depth, this.#isText, this.#isEscaped, this.#isBegun]
    const isArray = this.#place === 'array'
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
        this.#place = 'after'
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
    if (this.#place === 'after') this.take(bytes.subarray(at + 1))
    return lines.subarray(0, length)
  }
}

const cutOff = 'is where the file ends: it is cut off'
const stray = 'stands behind the end of the array, and is not read'

function isBlank(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab
}
