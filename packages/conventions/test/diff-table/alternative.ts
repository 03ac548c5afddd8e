/** Changes of schemas with alternatives: oneOf, anyOf and references. */
import { list, put, type Row, read, ref, row, schemas, text } from './row.ts'

const letter = { title: 'Letter', type: 'object', required: ['street'], properties: { street: text } }
const firstChoice = { oneOf: [ref('Phone'), ref('Mail')] }
const secondChoice = { oneOf: [ref('Fax'), letter] }
const twoChoices = { allOf: [firstChoice, secondChoice] }

/** Contacts match one of two forms, and also one of two others. */
export const withTwoChoices = { [`${read}/contact`]: twoChoices, [`${put}/contact`]: twoChoices }

export const twoChoiceRows: readonly Row[] = [
  row('the choices in another order', { [`${put}/contact/allOf`]: [secondChoice, firstChoice] }, [], []),
  row(
    'other pairs of the same forms',
    { [`${put}/contact/allOf`]: [{ oneOf: [ref('Phone'), ref('Fax')] }, { oneOf: [ref('Mail'), letter] }] },
    ['breaking request-alternative-removed', 'compatible request-alternative-added'],
    ['breaking request-alternative-removed', 'compatible request-alternative-added'],
  ),
  row(
    'a form of the first choice also in the second one',
    { [`${put}/contact/allOf/1/oneOf/+`]: ref('Phone') },
    'compatible request-alternative-added',
    'breaking request-alternative-removed',
  ),
  row(
    'only one of the choices in a request',
    { [`${put}/contact`]: firstChoice },
    'compatible request-field-loosened',
    'breaking request-field-tightened',
  ),
  row(
    'only the last one of the choices in a request',
    { [`${put}/contact`]: secondChoice },
    'compatible request-field-loosened',
    'breaking request-field-tightened',
  ),
  row(
    'only one of the choices in a response',
    { [`${read}/contact`]: firstChoice },
    'breaking response-field-retyped',
    'compatible response-field-tightened',
  ),
]

const animal = (kind: string, field: string, description?: string) => ({
  ...(description !== undefined && { description }),
  type: 'object',
  properties: { kind: { const: kind }, [field]: text },
})

/** A contact is one of two objects without names, which differ in a constant. */
export const withConstants = { [`${read}/contact`]: { oneOf: [animal('DOG', 'breed'), animal('CAT', 'color')] } }

export const constantRows: readonly Row[] = [
  row(
    'one of two objects that differ in a constant',
    { [`${read}/contact/oneOf`]: [animal('CAT', 'color', 'A cat.')] },
    'compatible response-alternative-removed',
    'breaking response-alternative-added',
  ),
  row(
    'another order of objects that differ in a constant',
    { [`${read}/contact/oneOf`]: [animal('CAT', 'color', 'A cat.'), animal('DOG', 'breed')] },
    [],
    [],
  ),
]

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
