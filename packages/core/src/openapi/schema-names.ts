/** The schemas of a document by their names: one for each shape, however many operations show it. */
import type { JsonSchema } from '../field/schema.ts'

export class SchemaNames {
  readonly #schemas = new Map<string, { readonly schema: JsonSchema; readonly text: string }>()

  /** A reference to the schema, under the first of these names that is free or stands for the same. */
  refer(names: readonly string[], schema: JsonSchema): JsonSchema {
    const text = JSON.stringify(schema)
    const name = names.find((one) => (this.#schemas.get(one)?.text ?? text) === text)
    if (name === undefined) throw new Error(`No name is left for a schema: ${names.join(', ')} are taken.`)
    this.#schemas.set(name, { schema, text })
    return { $ref: `#/components/schemas/${name}` }
  }

  all(): { readonly [name: string]: JsonSchema } {
    const sorted = [...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]))
  }
}
