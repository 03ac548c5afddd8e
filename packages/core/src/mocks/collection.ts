/** A collection of mock records: one set of data for a type and all that derive from it, changed in memory only. */

/** The names of the properties that always hold a number. */
type NumberName<Item> = { [Name in keyof Item]-?: Item[Name] extends number ? Name : never }[keyof Item] & string

/** Where there is none, the error says what is missing. */
type RefName<Item> = [NumberName<Item>] extends [never] ? 'a property that always holds a number' : NumberName<Item>

/** `defaults` is the whole record but its ref; it may hold more than the data of the start do. */
export type CollectionOptions<Item> = {
  [Ref in RefName<Item>]: {
    /** The property by which a record is found. */
    readonly ref: Ref
    /** The records of the start. */
    readonly data: readonly Item[]
    /** What a created record holds where its body says nothing. */
    // biome-ignore lint/suspicious/noExplicitAny: an interface has no index, and fits one of any
    readonly defaults: Omit<Item, Ref> & { readonly [more: string]: any }
  }
}[RefName<Item>]

/** A record whose properties are looked up by name. */
type Held = { readonly [name: string]: unknown }

export class Collection<Item extends object> {
  readonly #options: { readonly ref: string; readonly data: readonly Item[]; readonly defaults: object }
  #items: Item[] = []
  /** Refs whose records of the start are gone, even where others bear them by now. */
  readonly #removed = new Set<number>()

  constructor({ ref, data, defaults }: CollectionOptions<Item>) {
    this.#options = { ref, data: structuredClone(data), defaults }
    this.reset()
  }

  /** All records, in their order. */
  get items(): readonly Item[] {
    return this.#items
  }

  find(ref: number): Item | undefined {
    return this.#items[this.#indexOf(ref)]
  }

  /** Appends a record of the defaults, then the body, under the largest ref plus one. */
  add(body: Partial<Item>): Item {
    const { ref, defaults } = this.#options
    const [largest = 0] = this.#items.map((item) => refOf(item, ref)).sort((one, other) => other - one)
    const next = largest + 1
    const item = { [ref]: next, ...structuredClone(defaults), ...body, [ref]: next } as Item
    this.#items.push(item)
    return item
  }

  /** Merges the body over the record, whose ref and place stay; undefined where there is none. */
  update(ref: number, body: Partial<Item>): Item | undefined {
    const index = this.#indexOf(ref)
    const item = this.#items[index]
    if (!item) return undefined
    const updated = { ...item, ...body, [this.#options.ref]: ref }
    this.#items[index] = updated
    return updated
  }

  /** Gives the record that was removed; undefined where there is none. */
  remove(ref: number): Item | undefined {
    const [item] = this.find(ref) ? this.#items.splice(this.#indexOf(ref), 1) : []
    if (item) this.#removed.add(ref)
    return item
  }

  /** The records that a record of the start, if it is still there, held under a property. */
  attached(ref: number, property: string): readonly unknown[] | undefined {
    const held = this.#options.data.find((item) => refOf(item, this.#options.ref) === ref) as Held | undefined
    return this.#removed.has(ref) ? undefined : (held?.[property] as readonly unknown[] | undefined)
  }

  /** Back to the data of the start. */
  reset(): void {
    this.#items = structuredClone(this.#options.data) as Item[]
    this.#removed.clear()
  }

  #indexOf(ref: number): number {
    return this.#items.findIndex((item) => refOf(item, this.#options.ref) === ref)
  }
}

function refOf(item: object, name: string): number {
  return (item as Held)[name] as number
}

/**
 * A collection that starts with the data given.
 *
 * ```ts
 * const role = collection<Role>({ ref: 'roleRef', data: roles, defaults: { applicationRef: 0, name: '', description: '' } })
 * ```
 */
export function collection<Item extends object>(
  options: { readonly data: readonly Item[] } & CollectionOptions<NoInfer<Item>>,
): Collection<Item> {
  return new Collection<Item>(options)
}
