/** OpenAPI documents as plain JSON, of whatever origin: following references, and what a schema comes to. */

export type Json = { readonly [name: string]: unknown }

export interface Schema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | undefined
  readonly isNullable: boolean
  readonly isReadOnly: boolean
  readonly format: string | undefined
  readonly choices: readonly unknown[] | undefined
  readonly properties: { readonly [name: string]: unknown }
  readonly required: readonly string[]
  readonly items: unknown
  /** All of its words, those that only some know included. */
  readonly raw: Json
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value that a reference within the document leads to; the value itself where it is none. */
export function follow(document: Json, value: unknown): Json {
  let at = value
  // A circle of references leads nowhere.
  for (let steps = 0; steps < 32 && isObject(at) && typeof at.$ref === 'string'; steps++)
    at = pointed(document, at.$ref)
  return isObject(at) && at.$ref === undefined ? at : {}
}

function pointed(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) || Array.isArray(at) ? (at as Json)[name] : undefined
  }
  return at
}

/** A schema as one object, whichever of the ways to say "all of these" and "or null" it was written in. */
export function schemaOf(document: Json, value: unknown, depth = 0): Schema {
  const raw = depth > 16 ? {} : merged(document, follow(document, value), depth)
  const types = [raw.type].flat().filter((type) => typeof type === 'string')
  const values = Array.isArray(raw.enum) ? raw.enum : 'const' in raw ? [raw.const] : undefined
  const type = types.find((one) => one !== 'null') ?? (isObject(raw.properties) ? 'object' : undefined)
  return {
    type: type as Schema['type'],
    isNullable: raw.nullable === true || types.includes('null') || values?.includes(null) === true,
    isReadOnly: raw.readOnly === true,
    format: typeof raw.format === 'string' ? raw.format : undefined,
    choices: values?.filter((one) => one !== null),
    properties: isObject(raw.properties) ? raw.properties : {},
    required: Array.isArray(raw.required) ? (raw.required as string[]) : [],
    items: raw.items,
    raw,
  }
}

function merged(document: Json, raw: Json, depth: number): Json {
  const parts = Array.isArray(raw.allOf) ? raw.allOf : []
  const ways = [raw.oneOf, raw.anyOf].find(Array.isArray) as unknown[] | undefined
  const all = [...parts.map((part) => schemaOf(document, part, depth + 1).raw), raw]
  if (ways) {
    const written = ways.map((way) => schemaOf(document, way, depth + 1))
    const real = written.filter(({ raw: { type } }) => type !== 'null')
    // Several real ways have no one form to be entered in; one of them, or null, has.
    if (real.length === 1 && real[0]) all.push(real[0].raw)
    if (real.length < written.length) all.push({ nullable: true })
  }
  return Object.assign(
    {},
    ...all,
    all.some((one) => isObject(one.properties)) && {
      properties: Object.assign({}, ...all.map((one) => one.properties)),
      required: [...new Set(all.flatMap((one) => (Array.isArray(one.required) ? one.required : [])))],
    },
  )
}
