/** The query parameters of a list, as a document has them. */
import { fieldSchema, type JsonSchema } from '../field/schema.ts'
import type { ListParameter } from '../operation/list-parameter.ts'

export function listParameterObject(parameter: ListParameter): JsonSchema {
  const { name } = parameter
  const basis = { name, in: 'query', description: describe(parameter) }
  switch (parameter.kind) {
    case 'pageNumber':
      return { ...basis, schema: { type: 'integer', minimum: 1, default: 1 } }
    case 'pageSize':
      return {
        ...basis,
        schema: { type: 'integer', minimum: 1, maximum: parameter.maximum, default: parameter.default },
      }
    case 'sort': {
      const names = [...parameter.fields.keys()]
      return { ...basis, ...repeated(parameter, { type: 'string', enum: names.flatMap((one) => [one, `-${one}`]) }) }
    }
    case 'include':
      return { ...basis, ...repeated(parameter, valueSchema(parameter.spec)) }
    case 'search':
      return { ...basis, ...repeated(parameter, { type: 'string', maxLength: parameter.maxLength }) }
    case 'equal':
      return {
        ...basis,
        ...repeated(parameter, valueSchema(parameter.spec), parameter.default),
        ...(parameter.default && { 'x-nomen-default-filter': parameter.default }),
      }
    case 'range':
      return { ...basis, schema: valueSchema(parameter.spec), 'x-nomen-range': parameter.range }
    case 'custom': {
      // Unlike other filters, it is checked as in a body: the service's own code relies on it.
      const { readOnly: _, default: __, ...schema } = fieldSchema(parameter.spec)
      return { ...basis, schema }
    }
  }
}

/** Repeated, it asks for any of its values. */
function repeated(
  { maxValues }: ListParameter & { maxValues: number },
  items: JsonSchema,
  initial?: readonly unknown[],
): JsonSchema {
  const schema = { type: 'array', items, maxItems: maxValues, ...(initial && { default: initial }) }
  return { style: 'form', explode: true, schema }
}

/** A filter is checked for its type and its choices, never for its format; an empty value stands for null. */
function valueSchema(spec: Parameters<typeof fieldSchema>[0]): JsonSchema {
  const {
    readOnly: _,
    default: __,
    format,
    pattern: ___,
    minLength: ____,
    maxLength: _____,
    ...schema
  } = fieldSchema(spec)
  const isKept = format !== undefined && ['date', 'date-time'].includes(`${format}`)
  return isKept ? { ...schema, format } : schema
}

function describe(parameter: ListParameter): string {
  switch (parameter.kind) {
    case 'pageNumber':
      return 'Which page, counted from 1.'
    case 'pageSize':
      return 'How many records a page has.'
    case 'sort':
      return 'By which properties, one after the other; a hyphen before a name turns the order round. Ties are in natural order.'
    case 'include':
      return 'Identities of records that are listed at their place whatever the filters say.'
    case 'search':
      return 'A text that is looked for without regard to case. Repeated: any of the texts.'
    case 'equal':
      return `Records with this value${parameter.spec.nullable ? '; empty for those without one' : ''}. Repeated: any of the values.`
    case 'range':
      return parameter.bound === 'from' ? 'From this moment on.' : 'Before this moment.'
    case 'custom':
      return `Records that fit this value by the service's own judgement${parameter.spec.nullable ? '; empty for none' : ''}. Given once.`
  }
}
