/** Changes inside a query parameter that is an object, such as `filter[a]=x`, and of values with several types. */
import { list, put, type Row, read, row, text } from './row.ts'

const schema = { type: 'object', properties: { a: text, b: { type: 'string', enum: ['X', 'Y'] } } }
const parameter = `${list}/8/schema`
const header = `${list}/6/schema`
const types = { type: ['string', 'integer'] }

/** The edits of the base document that the rows need. */
export const withObjectParameter = {
  [`${list}/+`]: { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema },
  [header]: { type: 'object', properties: { a: text } },
  [`${read}/firstName`]: types,
  [`${put}/firstName`]: types,
}

export const objectParameterRows: readonly Row[] = [
  row(
    'a property',
    { [`${parameter}/properties/a`]: undefined },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'a required property',
    { [`${parameter}/required`]: ['a'] },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'a value of a property',
    { [`${parameter}/properties/b/enum`]: ['X'] },
    'breaking parameter-enum-value-removed',
    'compatible parameter-enum-value-added',
  ),
  row(
    'the type of a property, in which every number is a text',
    { [`${parameter}/properties/a`]: { type: 'integer' } },
    'breaking parameter-retyped',
    'compatible parameter-widened',
  ),
  row(
    'a property made nullable',
    { [`${parameter}/properties/a`]: { type: ['string', 'null'] } },
    'compatible parameter-nullable',
    'breaking parameter-not-nullable',
  ),
  row(
    'the form in a URL',
    { [`${list}/8/style`]: 'form' },
    'breaking parameter-serialization-changed',
    'breaking parameter-serialization-changed',
  ),
  row(
    'a further type of an answer',
    { [`${read}/firstName/type`]: ['string', 'integer', 'boolean'] },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'a further type of a request',
    { [`${put}/firstName/type`]: ['string', 'integer', 'boolean'] },
    'compatible request-field-widened',
    'breaking request-field-retyped',
  ),
  row(
    'a further property',
    { [`${parameter}/properties/c`]: text },
    'compatible parameter-loosened',
    'breaking parameter-tightened',
  ),
  row(
    'a further required property',
    { [`${parameter}/properties/c`]: text, [`${parameter}/required`]: ['c'] },
    'breaking parameter-tightened',
    'breaking parameter-tightened',
  ),
  row(
    'a required property of a header',
    { [`${header}/required`]: ['a'] },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'a further required property of a header',
    { [`${header}/properties/c`]: text, [`${header}/required`]: ['c'] },
    'breaking parameter-tightened',
    'breaking parameter-tightened',
  ),
  row(
    'a property of a header with few values',
    { [`${header}/properties/a/enum`]: ['X'] },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
]
