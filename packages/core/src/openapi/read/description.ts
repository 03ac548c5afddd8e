/** Descriptions and examples in a document: of the document itself, its operations, parameters, records and values. */
import { isObject, type JsonObject } from './node.ts'

/** The description of an object of a document; undefined if there is none. */
export function descriptionIn({ description }: JsonObject): string | undefined {
  return typeof description === 'string' && description.trim() !== '' ? description : undefined
}

/** The first of its examples, as OpenAPI 3.1 (`examples`) or 3.0 (`example`) writes them. */
export function exampleIn({ examples, example }: JsonObject): JsonObject[string] | undefined {
  return Array.isArray(examples) && examples.length > 0 ? examples[0] : example
}

/**
 * The descriptions of the values of an `enum`: an object by value (`x-enumDescriptions`), or a list in the order of the values
 * (`x-enum-descriptions`).
 */
export function valueDescriptionsIn(schema: JsonObject): ReadonlyMap<string, string> {
  const descriptions = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions']
  const values = Array.isArray(schema.enum) ? schema.enum : []
  const pairs = Array.isArray(descriptions)
    ? descriptions.map((text, index) => [`${values[index]}`, text] as const)
    : Object.entries(isObject(descriptions) ? descriptions : {})
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''))
}
