/** Collections of mock records in memory: one for a type and all types derived from it. */

/** The names of number properties. */
type NumberName<Item> = { [Name in keyof Item]-?: Item[Name] extends number ? Name : never }[keyof Item] & string

/** If there is no number property, the compile error says so. */
type RefName<Item> = [NumberName<Item>] extends [never] ? 'a property that always holds a number' : NumberName<Item>

/** Options of a mock collection. `defaults` has all properties of a record except its ID, and may have more. */
export type CollectionOptions<Item> = {
  [Ref in RefName<Item>]: {
    /** The name of the ID property: `ref: 'id'`. */
    readonly ref: Ref
    /** The initial records. */
    readonly data: readonly Item[]
    /** The values of a new record for properties that its body does not have. */
    // biome-ignore lint/suspicious/noExplicitAny: an interface has no index, and fits one of any
    readonly defaults: Omit<Item, Ref> & { readonly [more: string]: any }
  }
}[RefName<Item>]

/** A record with properties by name. */
type NamedValues = { readonly [name: string]: unknown }

/** Mock records in memory, which all handlers of a noun share. */
export class Collection<Item extends object> {
  readonly #options: { readonly ref: string; readonly data: readonly Item[]; readonly defaults: object }
  #items: Item[] = []
  /** IDs of initial records that were removed, even if new records have them now. */
  readonly #removed = new Set<number>()

  constructor({ ref, data, defaults }: CollectionOptions<Item>) {
    this.#options = { ref, data: structuredClone(data), defaults }
    this.reset()
  }

  /** All records, in order. */
  get items(): readonly Item[] {
    return this.#items
  }

  /** Returns the record with the ID; undefined if there is none. */
  find(ref: number): Item | undefined {
    return this.#items[this.#indexOf(ref)]
  }

  /** Adds a record with the defaults and the body. Its ID is the largest ID plus one. */
  add(body: Partial<Item>): Item {
    const { ref, defaults } = this.#options
    const [largest = 0] = this.#items.map((item) => refOf(item, ref)).sort((a, b) => b - a)
    const next = largest + 1
    const item = { [ref]: next, ...structuredClone(defaults), ...body, [ref]: next } as Item
    this.#items.push(item)
    return item
  }

  /** Merges the body into a record and returns it; undefined if there is none. ID and position stay. */
  update(ref: number, body: Partial<Item>): Item | undefined {
    const index = this.#indexOf(ref)
    const item = this.#items[index]
    if (!item) return undefined
    const updated = { ...item, ...body, [this.#options.ref]: ref }
    this.#items[index] = updated
    return updated
  }

  /** Removes a record and returns it; undefined if there is none. */
  remove(ref: number): Item | undefined {
    const [item] = this.find(ref) ? this.#items.splice(this.#indexOf(ref), 1) : []
    if (item) this.#removed.add(ref)
    return item
  }

  /** The array that an initial record had in a property; undefined if the record was removed. */
  attached(ref: number, property: string): readonly unknown[] | undefined {
    const initial = this.#options.data.find((item) => refOf(item, this.#options.ref) === ref) as NamedValues | undefined
    return this.#removed.has(ref) ? undefined : (initial?.[property] as readonly unknown[] | undefined)
  }

  /** Restores the initial records. */
  reset(): void {
    this.#items = structuredClone(this.#options.data) as Item[]
    this.#removed.clear()
  }

  #indexOf(ref: number): number {
    return this.#items.findIndex((item) => refOf(item, this.#options.ref) === ref)
  }
}

function refOf(item: object, name: string): number {
  return (item as NamedValues)[name] as number
}

/**
 * Creates a collection of mock records in memory, for `mocks`.
 *
 * @example
 * ```ts
 * const role = collection({
 *   ref: 'id',
 *   data: [{ id: 1, name: 'Reader', description: '' }],
 *   defaults: { name: '', description: '' },
 * })
 * ```
 */
export function collection<Item extends object>(
  options: { readonly data: readonly Item[] } & CollectionOptions<NoInfer<Item>>,
): Collection<Item> {
  return new Collection<Item>(options)
}
