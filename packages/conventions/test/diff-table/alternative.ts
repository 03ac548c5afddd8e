/** Changes of schemas with alternatives: oneOf, anyOf and references. */
import { list, put, type Row, read, ref, row, schemas, text } from './row.ts'

export const alternativeRows: readonly Row[] = [
  row('forms in another order', { [`${read}/contact/oneOf`]: [ref('Mail'), ref('Phone')] }, [], []),
  row('any of the forms', { [`${read}/contact`]: { anyOf: [ref('Phone'), ref('Mail')] } }, [], []),
  row(
    'a form by another name',
    {
      [`${schemas}/Letter`]: { type: 'object', required: ['address'], properties: { address: text } },
      [`${read}/contact/oneOf/1`]: ref('Letter'),
    },
    [],
    [],
  ),
  row(
    'a form for another',
    { [`${read}/contact/oneOf/1`]: ref('Fax') },
    ['breaking response-alternative-added', 'compatible response-alternative-removed'],
    ['breaking response-alternative-added', 'compatible response-alternative-removed'],
  ),
  row(
    'forms where there was a component',
    { [`${schemas}/UserPage/properties/results/items`]: { oneOf: [ref('UserListItem'), ref('Fax')] } },
    'breaking response-alternative-added',
    'compatible response-alternative-removed',
  ),
  row(
    'a change in one of the forms',
    { [`${schemas}/Mail/properties/address/type`]: 'integer' },
    ['breaking request-field-retyped', 'breaking response-field-retyped'],
    ['breaking request-field-retyped', 'breaking response-field-retyped'],
  ),
  row(
    'forms and null',
    { [`${read}/contact/oneOf/+`]: { type: 'null' } },
    'breaking response-field-nullable',
    'compatible response-field-not-nullable',
  ),
  row(
    'a parameter as JSON',
    {
      [`${list}/7`]: {
        name: 'tag',
        in: 'query',
        content: { 'application/json': { schema: { type: 'array', items: text } } },
      },
    },
    'breaking parameter-serialization-changed',
    'breaking parameter-serialization-changed',
  ),
  row(
    'a plain parameter as JSON, in which a text has quotes',
    {
      [`${list}/3`]: {
        name: 'email',
        in: 'query',
        content: { 'application/json': { schema: { type: 'string', maxLength: 100 } } },
      },
    },
    'breaking parameter-serialization-changed',
    'breaking parameter-serialization-changed',
  ),
  row(
    'a plain parameter of any type',
    { [`${list}/3/schema`]: {} },
    'compatible parameter-widened',
    'breaking parameter-retyped',
  ),
  row(
    'a map of strings',
    { [`${read}/address/additionalProperties`]: text },
    'compatible response-field-narrowed',
    'breaking response-field-retyped',
  ),
  row(
    'words beside a reference',
    { [`${schemas}/UserPage/properties/results/items`]: { ...ref('UserListItem'), description: 'd' } },
    [],
    [],
  ),
  row(
    'a limit beside a reference',
    { [`${put}/contact`]: { ...ref('Phone'), maxProperties: 1 } },
    ['breaking request-alternative-removed', 'breaking request-field-tightened'],
    ['compatible request-alternative-added', 'compatible request-field-loosened'],
  ),
]
