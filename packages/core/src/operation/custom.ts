/** The parts of a custom operation in the operation table. */
import type { FieldSpec } from '../field/field.ts'
import { type AnyNoun, targetOf } from '../noun/noun.ts'
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
  return {
    name,
    declaration,
    on,
    query: fieldProperties(query),
    ...(response && { response: fieldProperties(responseFields(response)) }),
    isList: isListResponse(response),
    targets: new Map(references.map((field) => [field, referenceTarget(field, body)])),
  }
}

/** The fields of a body, a query or a response as properties, in order. */
export function fieldProperties(fields: Fields = {}): readonly Property[] {
  return Object.entries(fields).map(([name, { spec }]) => ({
    name,
    field: name,
    spec: completeSpec(name, spec, fields),
  }))
}

/** The spec of a field; for a reference, with the type of the referenced ID. */
function completeSpec(name: string, spec: FieldSpec, fields: Fields): FieldSpec {
  if (spec.kind !== 'reference') return spec
  const target = referenceTarget(name, fields)
  return target.fields[target.identity].spec.guid ? { ...spec, guid: true } : spec
}

function referenceTarget(name: string, fields: Fields): AnyNoun {
  return targetOf({ name: 'operation', fields, options: {}, identity: '' }, name)
}
