/** Components of a document by their names: each stands there once, however many operations refer to it. */
import type { JsonSchema } from '../field/schema.ts'

export class Components {
  readonly #kind: 'schemas' | 'responses'
  readonly #known = new Map<string, { readonly value: JsonSchema; readonly text: string }>()

  constructor(kind: 'schemas' | 'responses') {
    this.#kind = kind
  }

  /** A reference to the component, under the first of these names that is free or stands for the same. */
  refer(names: readonly string[], value: JsonSchema): JsonSchema {
    const text = JSON.stringify(value)
    const name = names.find((one) => (this.#known.get(one)?.text ?? text) === text)
    if (name === undefined)
      throw new Error(`No name is left for one of the ${this.#kind}: ${names.join(', ')} are taken.`)
    this.#known.set(name, { value, text })
    return { $ref: `#/components/${this.#kind}/${name}` }
  }

  all(): { readonly [name: string]: JsonSchema } {
    const sorted = [...this.#known].sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { value }]) => [name, value]))
  }
}

/** What the operations of a document refer to. */
export interface Shelf {
  readonly schemas: Components
  readonly responses: Components
}
