/** A body that is sent in parts: reports its error. The response has begun, so it cannot become a problem. */

export function reportedBody(
  body: AsyncIterable<Uint8Array>,
  report: (error: unknown) => void,
): AsyncIterableIterator<Uint8Array> {
  // Not a generator: that would pass on `return` only after a pending `next`.
  const source = body[Symbol.asyncIterator]()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        return await source.next()
      } catch (error) {
        report(error)
        throw error
      }
    },
    async return() {
      await source.return?.()
      return { done: true, value: undefined }
    },
  }
}
