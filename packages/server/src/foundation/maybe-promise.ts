/** A value or a promise of it, so that synchronous results need no microtask. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Calls `next` with a value, synchronously unless it is a promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs a function, and returns the result of `recover` if it throws or rejects. */
export function attempt<Value>(
  run: () => MaybePromise<Value>,
  recover: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(recover) : value
  } catch (error) {
    return recover(error)
  }
}

/** The first defined result. Items are tried one after the other, synchronously if there are no promises. */
export function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => MaybePromise<Result | undefined>,
): MaybePromise<Result | undefined> {
  if (items.length === 0) return undefined
  const [item, ...others] = items as readonly [Item, ...Item[]]
  return andThen(find(item), (result) => result ?? firstOf(others, find))
}

/** Returns the value, and throws a TypeError if it is a promise. */
export function immediate<Value>(value: MaybePromise<Value>): Value {
  if (value instanceof Promise) throw new TypeError('Expected a value, not a promise.')
  return value
}
