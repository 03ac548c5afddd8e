/** The schemas of fields in an OpenAPI document: the values of a choice are a component that all shapes of its noun refer to. */
import type { FieldSpec } from '../../field/field.ts'
import { fieldSchema, type JsonSchema } from '../../field/schema.ts'
import { camelCase } from '../../naming/kebab-case.ts'
import { type AnyNoun, declaredSpecs } from '../../noun/noun.ts'
import type { Operation } from '../../operation/operation.ts'
import { segmentOf } from '../../resource/shape.ts'
import type { Components } from '../component.ts'
import { capitalize } from '../name.ts'

/** Returns the schema of a field of a noun. A custom operation may use a field of the noun, or one of its own, which has no component. */
export type FieldSchema = (noun: AnyNoun, spec: FieldSpec, field?: string) => JsonSchema

/** The ends of the names of schemas that belong to a noun. */
const endings = [
  '',
  'Create',
  'Replace',
  'Update',
  'ListItem',
  'Summary',
  'Detail',
  'ListPage',
  'SummaryPage',
  'DetailPage',
]

export function fieldSchemas(schemas: Components, table: readonly Operation[]): FieldSchema {
  const nouns = new Set(table.map(({ resource }) => capitalize(camelCase(segmentOf(resource)))))
  const reserved = new Set([
    'Problem',
    'PageInfo',
    ...[...nouns].flatMap((noun) => endings.map((ending) => noun + ending)),
  ])
  return (noun, spec, field = fieldOf(noun, spec)) => {
    const schema = fieldSchema(spec)
    if (field === undefined || !spec.choices) return schema
    const { type: _, enum: __, description, examples, 'x-enumDescriptions': texts, ...others } = schema
    const name = capitalize(camelCase(noun.name)) + capitalize(field)
    const names = ['', 'Choice', ...Array.from({ length: 8 }, (_, index) => `Choice${index + 2}`)].map(
      (suffix) => name + suffix,
    )
    const component = schemas.refer(
      names.filter((candidate) => !reserved.has(candidate)),
      {
        type: 'string',
        ...(description !== undefined && { description }),
        enum: spec.choices,
        ...(texts !== undefined && { 'x-enumDescriptions': texts }),
        ...(examples !== undefined && { examples }),
      },
    )
    return spec.nullable ? { anyOf: [component, { type: 'null' }], ...others } : { ...component, ...others }
  }
}

function fieldOf(noun: AnyNoun, spec: FieldSpec): string | undefined {
  return [...declaredSpecs(noun)].find(([, fieldSpec]) => fieldSpec === spec)?.[0]
}
