/** The parts of a custom operation in the operation table. */
import { type AnyNoun, specOf, targetOf } from '../noun/noun.ts'
import type { Fields } from '../noun/noun-option.ts'
import { type CustomOperation, isListResponse, responseFields } from '../resource/operation.ts'
import type { Property } from '../resource/shape.ts'

/** The parts of a custom operation that other operations do not have. */
export interface CustomParts {
  /** The name in the resource, in camelCase. */
  readonly name: string
  /** The declaration, which `handle` of the service file refers to. */
  readonly declaration: CustomOperation
  readonly on: 'record' | 'collection'
  /** The query parameters. A request may have each of them once. */
  readonly query: readonly Property[]
  /** The properties of the response body; absent if there is none. */
  readonly response?: readonly Property[]
  /** Whether the response is an array of objects with these properties. */
  readonly isList: boolean
  /** The nouns that references in the body refer to, by field name. */
  readonly targets: ReadonlyMap<string, AnyNoun>
}

export function customParts(name: string, declaration: CustomOperation): CustomParts {
  const { on, query, body = {}, response } = declaration.options
  const references = Object.keys(body).filter((field) => body[field]?.spec.kind === 'reference')
  const owner = ownerOf(body)
  return {
    name,
    declaration,
    on,
    query: fieldProperties(query),
    ...(response && { response: fieldProperties(responseFields(response)) }),
    isList: isListResponse(response),
    targets: new Map(references.map((field) => [field, targetOf(owner, field)])),
  }
}

/** The fields of a body, a query or a response as properties, in order. */
export function fieldProperties(fields: Fields = {}): readonly Property[] {
  const owner = ownerOf(fields)
  return Object.keys(fields).map((name) => ({ name, field: name, spec: specOf(owner, name) }))
}

/** A noun with these fields, so that their references resolve as those of nouns do. */
function ownerOf(fields: Fields): AnyNoun {
  return { name: 'operation', fields, options: {}, identity: '' }
}
