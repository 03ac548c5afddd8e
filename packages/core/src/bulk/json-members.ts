/** Scans the members of a JSON object for an array, in constant memory. */
const [lineFeed, quote, comma, colon, backslash] = [10, 34, 44, 58, 92]
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125]

/** Longer names are truncated. */
const maxNameBytes = 1000

/** The number of names that a message lists. */
const maxNames = 20

export class JsonMembers {
  /** Members that are arrays. */
  readonly names: string[] = []
  hasArray = false
  /** The index after the object, if it ends in the last bytes. */
  end: number | undefined
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Whether the next string of the object itself is a name. */
  #isName = true
  #name: number[] = []
  #isValueNext = false

  /**
   * The index of the first element of the array; 'none' if the object ends without it, undefined if it continues. Without a
   * name, it only looks for the end of the object.
   */
  find(bytes: Uint8Array, member?: string): number | 'none' | undefined {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number
      const isTopLevel = this.#depth === 1
      if (this.#isInString) this.#readString(byte, isTopLevel && this.#isName)
      else if (byte > 32) {
        if (this.#isValueNext && byte === openArray && this.#recordArray(member)) return index + 1
        this.#isValueNext = false
        if (byte === quote) this.#startString(isTopLevel && this.#isName)
        else if (byte === openObject || byte === openArray) this.#depth++
        else if (byte === closeObject || byte === closeArray) this.#depth--
        else if (isTopLevel && byte === comma) this.#isName = true
        else if (isTopLevel && byte === colon) {
          this.#isName = false
          this.#isValueNext = true
        }
        if (this.#depth <= 0) {
          this.end = index + 1
          return 'none'
        }
      }
    }
    return undefined
  }

  #startString(isName: boolean): void {
    this.#isInString = true
    if (isName) this.#name = []
  }

  #readString(byte: number, isName: boolean): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote || byte === lineFeed) {
      this.#isInString = false
      return
    }
    if (isName && this.#name.length < maxNameBytes) this.#name.push(byte)
  }

  #recordArray(member: string | undefined): boolean {
    this.hasArray = true
    const name = textOf(this.#name)
    if (this.names.length < maxNames) this.names.push(name)
    return name === member
  }
}

function textOf(bytes: readonly number[]): string {
  const text = new TextDecoder().decode(Uint8Array.from(bytes))
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    return text
  }
}
