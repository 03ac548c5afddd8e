/** JSON objects of documents and responses. */

export type Json = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
