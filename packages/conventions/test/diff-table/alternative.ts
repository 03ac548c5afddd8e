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
    ['breaks response-alternative-added', 'keeps response-alternative-removed'],
    ['breaks response-alternative-added', 'keeps response-alternative-removed'],
  ),
  row(
    'forms where there was a component',
    { [`${schemas}/UserPage/properties/results/items`]: { oneOf: [ref('UserListItem'), ref('Fax')] } },
    'breaks response-alternative-added',
    'keeps response-alternative-removed',
  ),
  row(
    'a change in one of the forms',
    { [`${schemas}/Mail/properties/address/type`]: 'integer' },
    ['breaks request-field-retyped', 'breaks response-field-retyped'],
    ['breaks request-field-retyped', 'breaks response-field-retyped'],
  ),
  row(
    'forms and null',
    { [`${read}/contact/oneOf/+`]: { type: 'null' } },
    'breaks response-field-nullable',
    'keeps response-field-not-nullable',
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
    'breaks parameter-serialization-changed',
    'breaks parameter-serialization-changed',
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
    'breaks parameter-serialization-changed',
    'breaks parameter-serialization-changed',
  ),
  row(
    'a plain parameter of any type',
    { [`${list}/3/schema`]: {} },
    'keeps parameter-widened',
    'breaks parameter-retyped',
  ),
  row(
    'a map of texts',
    { [`${read}/address/additionalProperties`]: text },
    'keeps response-field-narrowed',
    'breaks response-field-retyped',
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
    ['breaks request-alternative-removed', 'breaks request-field-tightened'],
    ['keeps request-alternative-added', 'keeps request-field-loosened'],
  ),
]
