/** Changes of query, header and path parameters. */
import { list, lookup, type Row, record, row, text } from './row.ts'

/** An object in the query: `filter[a]=x`. */
const deepObject = (schema: object) => ({
  [`${list}/+`]: { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema },
})

export const parameterRows: readonly Row[] = [
  row('a path parameter that is not declared', { [`${lookup}/get/parameters`]: [] }, [], []),
  row(
    'the values of a header',
    { [`${list}/6/schema/enum`]: ['a'] },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'a header made required',
    { [`${list}/6/required`]: true },
    'breaking parameter-made-required',
    'compatible parameter-made-optional',
  ),
  row(
    'a cookie',
    { [`${list}/+`]: { name: 'c', in: 'cookie', schema: text } },
    'compatible parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'a required cookie',
    { [`${list}/+`]: { name: 'c', in: 'cookie', required: true, schema: text } },
    'breaking required-parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'a parameter that moves to the headers',
    { [`${list}/3/in`]: 'header' },
    ['breaking parameter-removed', 'compatible parameter-added'],
    ['breaking parameter-removed', 'compatible parameter-added'],
  ),
  row(
    'a required parameter with a default',
    { [`${list}/+`]: { name: 'a', in: 'query', required: true, schema: { ...text, default: 'x' } } },
    'breaking required-parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'an object as a parameter',
    deepObject({ type: 'object', properties: { a: text } }),
    'compatible parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'header parameters that OpenAPI ignores',
    {
      [`${record}/parameters/+`]: { name: 'Authorization', in: 'header', required: true, schema: text },
      [`${list}/+`]: { name: 'accept', in: 'header', required: true, schema: text },
      [`${lookup}/parameters/+`]: { name: 'Content-Type', in: 'header', required: true, schema: text },
    },
    [],
    [],
  ),
  row('a parameter', { [`${list}/3`]: undefined }, 'breaking parameter-removed', 'compatible parameter-added'),
  row('a header parameter', { [`${list}/6`]: undefined }, 'breaking parameter-removed', 'compatible parameter-added'),
  row(
    'a required parameter',
    { [`${list}/+`]: { name: 'a', in: 'query', required: true, schema: text } },
    'breaking required-parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'a parameter made required',
    { [`${list}/3/required`]: true },
    'breaking parameter-made-required',
    'compatible parameter-made-optional',
  ),
  row(
    'the type of a parameter',
    { [`${list}/4/schema`]: { type: 'integer', default: false } },
    'breaking parameter-retyped',
    'breaking parameter-retyped',
  ),
  row(
    'a parameter of integers that takes numbers',
    { [`${list}/5/schema`]: { type: ['number', 'null'], format: 'int32' } },
    'compatible parameter-widened',
    'breaking parameter-retyped',
  ),
  row(
    'the type of a path parameter, in which every number is a text',
    { [`${record}/parameters/0/schema`]: text },
    'compatible parameter-widened',
    'breaking parameter-retyped',
  ),
  row(
    'a parameter of numbers that takes texts of limited length',
    { [`${list}/5/schema`]: { type: ['string', 'null'], maxLength: 3 } },
    ['breaking parameter-tightened', 'compatible parameter-loosened', 'compatible parameter-widened'],
    ['breaking parameter-retyped', 'breaking parameter-tightened', 'compatible parameter-loosened'],
  ),
  row(
    'a value of an extensible list of a parameter',
    { [`${list}/2/schema/items`]: { type: 'string', 'x-extensible-enum': ['ACTIVE'] } },
    'breaking parameter-enum-value-removed',
    'compatible parameter-enum-value-added',
  ),
  row(
    'a parameter that may be repeated',
    { [`${list}/3/schema`]: { type: 'array', items: { type: 'string', maxLength: 100 } } },
    'compatible parameter-made-repeatable',
    'breaking parameter-made-single',
  ),
  row(
    'the length of a parameter',
    { [`${list}/3/schema/maxLength`]: 50 },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'the format of a parameter',
    { [`${list}/3/schema/format`]: 'email' },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'a wider format of a parameter',
    { [`${list}/5/schema/format`]: 'int64' },
    'compatible parameter-loosened',
    'breaking parameter-tightened',
  ),
  row(
    'a value of a parameter',
    { [`${list}/2/schema/items/enum/1`]: undefined },
    'breaking parameter-enum-value-removed',
    'compatible parameter-enum-value-added',
  ),
  row(
    'a parameter of few values',
    { [`${list}/3/schema/enum`]: ['a', 'b'] },
    'breaking parameter-tightened',
    'compatible parameter-loosened',
  ),
  row(
    'null in a parameter',
    { [`${list}/5/schema/type`]: 'integer' },
    'breaking parameter-not-nullable',
    'compatible parameter-nullable',
  ),
  row(
    'the default of a parameter',
    { [`${list}/4/schema/default`]: true },
    'breaking parameter-default-changed',
    'breaking parameter-default-changed',
  ),
  row(
    'no default of a parameter',
    { [`${list}/4/schema/default`]: undefined },
    'breaking parameter-default-changed',
    'breaking parameter-default-changed',
  ),
  row(
    'the writing of a parameter',
    { [`${list}/7/explode`]: false },
    'breaking parameter-serialization-changed',
    'breaking parameter-serialization-changed',
  ),
  row(
    'an empty value of a parameter',
    { [`${list}/3/allowEmptyValue`]: true },
    'compatible parameter-loosened',
    'breaking parameter-tightened',
  ),
  row(
    'reserved characters in a parameter',
    { [`${list}/2/allowReserved`]: true },
    'compatible parameter-loosened',
    'breaking parameter-tightened',
  ),
  row(
    'reserved characters and empty values in a header, which OpenAPI ignores',
    { [`${list}/6/allowReserved`]: true, [`${list}/6/allowEmptyValue`]: true },
    [],
    [],
  ),
  row('a deprecated parameter', { [`${list}/3/deprecated`]: true }, 'compatible parameter-deprecated', []),
  row(
    'the default page size',
    { [`${list}/1/schema/default`]: 20 },
    'breaking default-page-size-changed',
    'breaking default-page-size-changed',
  ),
  row(
    'the maximum page size',
    { [`${list}/1/schema/maximum`]: 100 },
    'breaking max-page-size-lowered',
    'compatible max-page-size-raised',
  ),
  row(
    'no maximum page size',
    { [`${list}/1/schema/maximum`]: undefined },
    'compatible max-page-size-raised',
    'breaking max-page-size-lowered',
  ),
  row(
    'the first page number',
    { [`${list}/0/schema/minimum`]: 0 },
    'compatible parameter-loosened',
    'breaking parameter-tightened',
  ),
  row(
    'a sunset of a parameter',
    { [`${list}/3/deprecated`]: true, [`${list}/3/x-sunset`]: '2026-03-01' },
    'compatible parameter-deprecated',
    [],
  ),
  row(
    'a parameter of all operations of a path',
    { [`${record}/parameters/+`]: { name: 'a', in: 'query', schema: text } },
    'compatible parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'a required parameter of all operations of a path',
    { [`${record}/parameters/+`]: { name: 'a', in: 'query', required: true, schema: text } },
    'breaking required-parameter-added',
    'breaking parameter-removed',
  ),
  row(
    'a parameter that moves from the path to its only operation',
    {
      [`${lookup}/parameters`]: undefined,
      [`${lookup}/get/parameters`]: [{ name: 'email', in: 'path', required: true, schema: text }],
    },
    [],
    [],
  ),
]
