/** What the table tells of an operation of the service's own, beyond what it tells of all. */
import type { FieldSpec } from '../field/field.ts'
import { type AnyNoun, type Fields, targetOf } from '../noun/noun.ts'
import { answerFields, type CustomOperation, isListAnswer } from '../resource/operation.ts'
import type { Property } from '../resource/shape.ts'

export interface CustomParts {
  /** By which the resource names it, in camelCase. */
  readonly name: string
  /** By which the service file finds it. */
  readonly declared: CustomOperation
  readonly on: 'record' | 'collection'
  /** The query parameters, each given once at most. */
  readonly query: readonly Property[]
  /** Absent where nothing is answered. */
  readonly answer?: readonly Property[]
  /** Whether the answer is a list of objects with these properties, and not a single one. */
  readonly isList: boolean
  /** The nouns that references in the body point at, by the names of these. */
  readonly targets: ReadonlyMap<string, AnyNoun>
}

export function customParts(name: string, declared: CustomOperation): CustomParts {
  const { on, query, body = {}, answer } = declared.options
  const references = Object.keys(body).filter((field) => body[field]?.spec.kind === 'reference')
  return {
    name,
    declared,
    on,
    query: fieldProperties(query),
    ...(answer && { answer: fieldProperties(answerFields(answer)) }),
    isList: isListAnswer(answer),
    targets: new Map(references.map((field) => [field, referenceTarget(field, body)])),
  }
}

/** The fields of a body, a query or an answer as properties, in their order. */
export function fieldProperties(fields: Fields = {}): readonly Property[] {
  return Object.entries(fields).map(([name, { spec }]) => ({ name, field: name, spec: whole(name, spec, fields) }))
}

/** A reference knows whether its target is told apart by a guid. */
function whole(name: string, spec: FieldSpec, fields: Fields): FieldSpec {
  if (spec.kind !== 'reference') return spec
  const target = referenceTarget(name, fields)
  return target.fields[target.identity].spec.guid ? { ...spec, guid: true } : spec
}

function referenceTarget(name: string, fields: Fields): AnyNoun {
  return targetOf({ name: 'operation', fields, options: {}, identity: '' }, name)
}
