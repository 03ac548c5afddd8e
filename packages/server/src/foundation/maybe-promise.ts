/** A value that is there now, or a promise of it: a stage that has its result at once costs no turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Continues with a value, at once if it is there. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
  failed?: (error: unknown) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next, failed) : next(value)
}

/** Runs a function that may throw or reject, and gives the result of `failed` if it does. */
export function attempt<Value>(
  run: () => MaybePromise<Value>,
  failed: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** The first result that is defined. Each item is tried after the one before; without promises, at once. */
export function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => MaybePromise<Result | undefined>,
): MaybePromise<Result | undefined> {
  if (items.length === 0) return undefined
  const [item, ...rest] = items as readonly [Item, ...Item[]]
  return andThen(find(item), (result) => result ?? firstOf(rest, find))
}

/** A value that must be there now, since nothing that it depends on is a promise. */
export function immediate<Value>(value: MaybePromise<Value>): Value {
  if (value instanceof Promise) throw new TypeError('A promise came where a value was expected.')
  return value
}
