/** Components of an OpenAPI document, each once, for all operations that refer to it. */
import type { JsonSchema } from '../field/schema.ts'

export class Components {
  readonly #kind: 'schemas' | 'responses'
  readonly #components = new Map<string, { readonly value: JsonSchema; readonly text: string }>()

  constructor(kind: 'schemas' | 'responses') {
    this.#kind = kind
  }

  /** A reference to the component, under the first name that is free or has the same content. */
  refer(names: readonly string[], value: JsonSchema): JsonSchema {
    const text = JSON.stringify(value)
    const name = names.find((candidate) => (this.#components.get(candidate)?.text ?? text) === text)
    if (name === undefined)
      throw new Error(`No name is left for one of the ${this.#kind}: ${names.join(', ')} are taken.`)
    this.#components.set(name, { value, text })
    return { $ref: `#/components/${this.#kind}/${name}` }
  }

  /** As `refer`, but a component with the same content is used whatever its name is. */
  referToSame(names: readonly string[], value: JsonSchema): JsonSchema {
    const text = JSON.stringify(value)
    const existing = [...this.#components].find(([, component]) => component.text === text)
    return this.refer(existing ? [existing[0]] : names, value)
  }

  all(): { readonly [name: string]: JsonSchema } {
    const sorted = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { value }]) => [name, value]))
  }
}
