/** A streamed body that counts its bytes, and ends its source at once when the reader stops. */

export interface CountedBody extends AsyncIterableIterator<Uint8Array> {
  /** The number of bytes that were sent. */
  readonly size: number
}

/** `onEnd` is called once: at the end of the body, with its error if it fails, or when it is ended early. */
export function countedBody(body: AsyncIterable<Uint8Array>, onEnd: (error?: unknown) => void = () => {}): CountedBody {
  // A generator would end its source only after a pending `next`.
  const source = body[Symbol.asyncIterator]()
  let size = 0
  let isEnded = false
  const end = (error?: unknown) => {
    if (!isEnded) onEnd(error)
    isEnded = true
  }
  return {
    get size() {
      return size
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const result = await source.next()
        if (result.done) end()
        else size += result.value.length
        return result
      } catch (error) {
        end(error)
        throw error
      }
    },
    async return() {
      await source.return?.()
      end()
      return { done: true, value: undefined }
    },
  }
}
