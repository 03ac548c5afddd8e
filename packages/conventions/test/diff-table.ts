/** Single changes of the base document, and what each is called, there and back again. */
import type { Edits } from './base-document.ts'

export interface Row {
  readonly name: string
  readonly edits: Edits
  /** The codes, each with its verdict, in the order of the alphabet. */
  readonly there: readonly string[]
  readonly back: readonly string[]
}

const row = (name: string, edits: Edits, there: string | readonly string[], back: string | readonly string[]): Row => ({
  name,
  edits,
  there: [there].flat(),
  back: [back].flat(),
})

const user = '/paths/~1user'
const one = '/paths/~1user~1{id}'
const list = `${user}/get/parameters`
const schemas = '/components/schemas'
const read = `${schemas}/User/properties`
const put = `${schemas}/UpdateUser/properties`
const post = `${schemas}/NewUser`
const department = '/paths/~1department'
const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const operation = { responses: { '200': { description: 'd' } } }

const operations: readonly Row[] = [
  row('an operation', { [`${one}/delete`]: undefined }, 'breaks operation-removed', 'keeps operation-added'),
  row('a path', { '/paths/~1user~1{id}~1preference': undefined }, 'breaks operation-removed', 'keeps operation-added'),
  row('a lookup', { '/paths/~1user~1by-email~1{email}': undefined }, 'breaks lookup-removed', 'keeps lookup-added'),
  row(
    'a list variant',
    { '/paths/~1user-summary': undefined },
    'breaks list-variant-removed',
    'keeps list-variant-added',
  ),
  row(
    'a list variant that comes',
    { '/paths/~1user-detail': { get: operation } },
    'keeps list-variant-added',
    'breaks list-variant-removed',
  ),
  row(
    'a deprecated operation',
    { [`${one}/get/deprecated`]: true },
    'keeps operation-deprecated',
    'keeps operation-undeprecated',
  ),
  row(
    'a sunset',
    { [`${one}/get/deprecated`]: true, [`${one}/get/x-sunset`]: '2026-03-01' },
    'keeps operation-deprecated',
    ['keeps operation-undeprecated', 'keeps sunset-put-off'],
  ),
  row(
    'an operationId',
    { [`${user}/get/operationId`]: 'users' },
    'keeps operation-id-changed',
    'keeps operation-id-changed',
  ),
  row('servers', { '/servers': [{ url: 'https://api.example' }] }, 'keeps server-changed', 'keeps server-changed'),
]

const parameters: readonly Row[] = [
  row('a parameter', { [`${list}/3`]: undefined }, 'breaks parameter-removed', 'keeps parameter-added'),
  row('a header parameter', { [`${list}/6`]: undefined }, 'breaks parameter-removed', 'keeps parameter-added'),
  row(
    'a required parameter',
    { [`${list}/+`]: { name: 'a', in: 'query', required: true, schema: text } },
    'breaks required-parameter-added',
    'breaks parameter-removed',
  ),
  row(
    'a parameter made required',
    { [`${list}/3/required`]: true },
    'breaks parameter-made-required',
    'keeps parameter-made-optional',
  ),
  row(
    'the type of a parameter',
    { [`${list}/4/schema`]: { type: 'integer', default: false } },
    'breaks parameter-retyped',
    'breaks parameter-retyped',
  ),
  row(
    'a parameter of integers that takes numbers',
    { [`${list}/5/schema`]: { type: ['number', 'null'], format: 'int32' } },
    'keeps parameter-widened',
    'breaks parameter-retyped',
  ),
  row(
    'the type of a path parameter',
    { [`${one}/parameters/0/schema`]: text },
    'breaks parameter-retyped',
    'breaks parameter-retyped',
  ),
  row(
    'a parameter that may be repeated',
    { [`${list}/3/schema`]: { type: 'array', items: { type: 'string', maxLength: 100 } } },
    'keeps parameter-made-repeatable',
    'breaks parameter-made-single',
  ),
  row(
    'the length of a parameter',
    { [`${list}/3/schema/maxLength`]: 50 },
    'breaks parameter-tightened',
    'keeps parameter-loosened',
  ),
  row(
    'the format of a parameter',
    { [`${list}/3/schema/format`]: 'email' },
    'breaks parameter-tightened',
    'keeps parameter-loosened',
  ),
  row(
    'a wider format of a parameter',
    { [`${list}/5/schema/format`]: 'int64' },
    'keeps parameter-loosened',
    'breaks parameter-tightened',
  ),
  row(
    'a value of a parameter',
    { [`${list}/2/schema/items/enum/1`]: undefined },
    'breaks parameter-enum-value-removed',
    'keeps parameter-enum-value-added',
  ),
  row(
    'a parameter of few values',
    { [`${list}/3/schema/enum`]: ['a', 'b'] },
    'breaks parameter-tightened',
    'keeps parameter-loosened',
  ),
  row(
    'null in a parameter',
    { [`${list}/5/schema/type`]: 'integer' },
    'breaks parameter-not-nullable',
    'keeps parameter-nullable',
  ),
  row(
    'the default of a parameter',
    { [`${list}/4/schema/default`]: true },
    'breaks parameter-default-changed',
    'breaks parameter-default-changed',
  ),
  row(
    'no default of a parameter',
    { [`${list}/4/schema/default`]: undefined },
    'breaks parameter-default-changed',
    'breaks parameter-default-changed',
  ),
  row(
    'the writing of a parameter',
    { [`${list}/7/explode`]: false },
    'breaks parameter-serialization-changed',
    'breaks parameter-serialization-changed',
  ),
  row('a deprecated parameter', { [`${list}/3/deprecated`]: true }, 'keeps parameter-deprecated', []),
  row(
    'the default page size',
    { [`${list}/1/schema/default`]: 20 },
    'breaks default-page-size-changed',
    'breaks default-page-size-changed',
  ),
  row(
    'the maximum page size',
    { [`${list}/1/schema/maximum`]: 100 },
    'breaks max-page-size-lowered',
    'keeps max-page-size-raised',
  ),
  row(
    'no maximum page size',
    { [`${list}/1/schema/maximum`]: undefined },
    'keeps max-page-size-raised',
    'breaks max-page-size-lowered',
  ),
  row(
    'the first page number',
    { [`${list}/0/schema/minimum`]: 0 },
    'keeps parameter-loosened',
    'breaks parameter-tightened',
  ),
]

const bodies: readonly Row[] = [
  row(
    'a body that may be sent',
    { [`${department}/put/requestBody`]: { content: {} } },
    'keeps request-body-added',
    'breaks request-body-removed',
  ),
  row(
    'a body that must be sent',
    { [`${department}/put/requestBody`]: { required: true, content: {} } },
    'breaks required-request-body-added',
    'breaks request-body-removed',
  ),
  row(
    'a body made required',
    { [`${one}/patch/requestBody/required`]: true },
    'breaks request-body-made-required',
    'keeps request-body-made-optional',
  ),
  row(
    'a media type of requests',
    { [`${one}/patch/requestBody/content/application~1merge-patch+json`]: undefined },
    'breaks request-media-type-removed',
    'keeps request-media-type-added',
  ),
  row(
    'a mutable field',
    { [`${put}/phone`]: text, [`${schemas}/UpdateUser/required/+`]: 'phone' },
    'breaks mutable-field-added',
    'breaks request-field-removed',
  ),
  row(
    'a field of PUT that may be left out',
    { [`${put}/phone`]: text },
    'keeps request-field-added',
    'breaks request-field-removed',
  ),
  row(
    'a static field made mutable',
    { [`${put}/created`]: text, [`${schemas}/UpdateUser/required/+`]: 'created' },
    'breaks static-field-made-mutable',
    'breaks field-made-static',
  ),
  row(
    'a static field that may be sent',
    { [`${put}/created`]: text },
    'keeps static-field-accepted',
    'breaks field-made-static',
  ),
  row(
    'a field marked readOnly',
    { [`${put}/firstName/readOnly`]: true },
    'breaks field-made-static',
    'breaks static-field-made-mutable',
  ),
  row(
    'a field of PATCH',
    { [`${schemas}/PatchUser/properties/phone`]: text },
    'keeps request-field-added',
    'breaks request-field-removed',
  ),
  row(
    'a required field of POST',
    { [`${post}/properties/phone`]: text, [`${post}/required/+`]: 'phone' },
    'breaks required-request-field-added',
    'breaks request-field-removed',
  ),
  row(
    'a field made required',
    { [`${post}/required/+`]: 'level' },
    'breaks request-field-made-required',
    'keeps request-field-made-optional',
  ),
  row(
    'a required field that nothing describes',
    { [`${post}/required/+`]: 'nickname' },
    'breaks request-field-made-required',
    'keeps request-field-made-optional',
  ),
  row(
    'the type of a sent field',
    { [`${put}/firstName/type`]: 'integer' },
    'breaks request-field-retyped',
    'breaks request-field-retyped',
  ),
  row(
    'a sent integer that may be a number',
    { [`${put}/level/type`]: 'number' },
    'keeps request-field-widened',
    'breaks request-field-retyped',
  ),
  row(
    'the length of a sent field',
    { [`${put}/lastName/maxLength`]: 20 },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'the least length of a sent field',
    { [`${put}/lastName/minLength`]: 2 },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'the minimum of a sent field',
    { [`${put}/level/minimum`]: 2 },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'the maximum of a sent field',
    { [`${put}/level/maximum`]: undefined },
    'keeps request-field-loosened',
    'breaks request-field-tightened',
  ),
  row(
    'an exclusive minimum that says the same',
    { [`${put}/level/minimum`]: undefined, [`${put}/level/exclusiveMinimum`]: 0 },
    [],
    [],
  ),
  row(
    'the pattern of a sent field',
    { [`${put}/lastName/pattern`]: '^[a-z]' },
    'breaks request-field-tightened',
    'breaks request-field-tightened',
  ),
  row(
    'no pattern of a sent field',
    { [`${put}/lastName/pattern`]: undefined },
    'keeps request-field-loosened',
    'breaks request-field-tightened',
  ),
  row(
    'the format of a sent field',
    { [`${put}/firstName/format`]: 'email' },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'another format of a sent field',
    { [`${put}/email/format`]: 'uri' },
    'breaks request-field-retyped',
    'breaks request-field-retyped',
  ),
  row(
    'a multiple',
    { [`${put}/level/multipleOf`]: 2 },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'a value of a sent field',
    { [`${put}/status/enum/1`]: undefined },
    'breaks request-enum-value-removed',
    'keeps request-enum-value-added',
  ),
  row(
    'a sent field of few values',
    { [`${put}/firstName/enum`]: ['A'] },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'null in a sent field',
    { [`${put}/supervisor/type`]: 'integer' },
    'breaks request-field-not-nullable',
    'keeps request-field-nullable',
  ),
  row(
    'a form of a sent field',
    { [`${put}/contact/oneOf/1`]: undefined },
    'breaks request-alternative-removed',
    'keeps request-alternative-added',
  ),
  row(
    'a further form of a sent field',
    { [`${put}/contact/oneOf/+`]: { $ref: '#/components/schemas/Fax' } },
    'keeps request-alternative-added',
    'breaks request-alternative-removed',
  ),
  row(
    'other fields of a body',
    { [`${schemas}/UpdateUser/additionalProperties`]: false },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'a default of POST',
    { [`${post}/properties/status/default`]: 'SUSPENDED' },
    'breaks request-default-changed',
    'breaks request-default-changed',
  ),
  row(
    'a new default of POST',
    { [`${post}/properties/level/default`]: 1 },
    'keeps request-default-added',
    'breaks request-default-changed',
  ),
  row('a default of PATCH, which it never takes', { [`${schemas}/PatchUser/properties/level/default`]: 1 }, [], []),
  row(
    'a way between two values',
    { [`${schemas}/PatchUser/properties/status/x-nomen-transitions/SUSPENDED`]: [] },
    'breaks transition-removed',
    'keeps transition-added',
  ),
  row(
    'no word on ways between values',
    { [`${schemas}/PatchUser/properties/status/x-nomen-transitions`]: undefined },
    [],
    [],
  ),
  row(
    'a field whose values are unique',
    { [`${put}/email/x-nomen-unique`]: true },
    'breaks request-field-tightened',
    'keeps request-field-loosened',
  ),
  row(
    'a deprecated field of a request',
    { [`${put}/firstName/deprecated`]: true },
    'keeps request-field-deprecated',
    [],
  ),
]

const answers: readonly Row[] = [
  row(
    'a success',
    { [`${one}/delete/responses`]: { '204': { description: 'd' } } },
    ['breaks response-status-added', 'breaks response-status-removed'],
    ['breaks response-status-added', 'breaks response-status-removed'],
  ),
  row(
    'a further success',
    { [`${one}/delete/responses/202`]: { description: 'd' } },
    'breaks response-status-added',
    'breaks response-status-removed',
  ),
  row(
    'an error',
    { [`${one}/get/responses/404`]: undefined },
    'keeps error-status-removed',
    'keeps error-status-added',
  ),
  row(
    'an error by its class',
    { [`${one}/get/responses/404`]: undefined, [`${one}/get/responses/4XX`]: { description: 'd' } },
    'keeps error-status-added',
    'keeps error-status-removed',
  ),
  row(
    'a body of an answer',
    { [`${one}/delete/responses/200/content`]: undefined },
    'breaks response-body-removed',
    'keeps response-media-type-added',
  ),
  row(
    'a media type of answers',
    { [`${one}/get/responses/200/content/application~1xml`]: {} },
    'keeps response-media-type-added',
    'breaks response-media-type-removed',
  ),
  row(
    'a header of an answer',
    { [`${one}/get/responses/200/headers`]: undefined },
    'breaks response-header-removed',
    'keeps response-header-added',
  ),
  row(
    'a header that may be missing',
    { [`${user}/post/responses/201/headers/Location/required`]: false },
    'breaks response-header-made-optional',
    'keeps response-header-made-required',
  ),
  row(
    'the type of a header',
    { [`${one}/get/responses/200/headers/ETag/schema/type`]: 'integer' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row('a header in other letters', { [`${one}/get/responses/200/headers`]: { etag: { schema: text } } }, [], []),
  row(
    'an envelope',
    {
      [`${department}/get/responses/200/content/application~1json/schema`]: {
        type: 'array',
        items: { $ref: '#/components/schemas/Department' },
      },
    },
    'breaks envelope-to-array',
    'breaks array-to-envelope',
  ),
  row(
    'a number of pages',
    { [`${schemas}/PageInfo/properties/numberOfPages`]: undefined, [`${schemas}/PageInfo/required/2`]: undefined },
    'breaks response-field-removed',
    'keeps response-field-added',
  ),
  row(
    'a field of a list',
    { [`${schemas}/UserListItem/properties/phone`]: text },
    'keeps response-field-added',
    'breaks response-field-removed',
  ),
  row(
    'a field of a record',
    { [`${read}/firstName`]: undefined, [`${schemas}/User/required/1`]: undefined },
    'breaks response-field-removed',
    'keeps response-field-added',
  ),
  row(
    'a field that is written and never read',
    { [`${read}/firstName/writeOnly`]: true },
    'breaks response-field-removed',
    'keeps response-field-added',
  ),
  row(
    'a field below another',
    { [`${read}/address/properties/city`]: undefined, [`${read}/address/required`]: [] },
    'breaks response-field-removed',
    'keeps response-field-added',
  ),
  row(
    'the type of a field',
    { [`${read}/id/type`]: 'string' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row(
    'an integer that may be a number',
    { [`${read}/id/type`]: 'number' },
    'breaks response-field-retyped',
    'keeps response-field-narrowed',
  ),
  row(
    'the type of elements',
    { [`${read}/tag/items/type`]: 'integer' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row(
    'elements of any type',
    { [`${read}/tag/items`]: undefined },
    'breaks response-field-retyped',
    'keeps response-field-narrowed',
  ),
  row(
    'a field that may be missing',
    { [`${schemas}/User/required/1`]: undefined },
    'breaks response-field-made-optional',
    'keeps response-field-made-required',
  ),
  row(
    'a field that may be null',
    { [`${read}/firstName/type`]: ['string', 'null'] },
    'breaks response-field-nullable',
    'keeps response-field-not-nullable',
  ),
  row(
    'a field that may be null, in the words of 3.0',
    { [`${read}/firstName/nullable`]: true },
    'breaks response-field-nullable',
    'keeps response-field-not-nullable',
  ),
  row(
    'a field that may be null, as an alternative',
    { [`${read}/firstName`]: { anyOf: [text, { type: 'null' }] } },
    'breaks response-field-nullable',
    'keeps response-field-not-nullable',
  ),
  row('null in other words', { [`${read}/supervisor`]: { type: 'integer', nullable: true } }, [], []),
  row(
    'null in other words yet',
    { [`${read}/supervisor`]: { oneOf: [{ type: 'null' }, { type: 'integer' }] } },
    [],
    [],
  ),
  row(
    'a value of a field',
    { [`${read}/status/enum/+`]: 'LOCKED' },
    'breaks response-enum-value-added',
    'keeps response-enum-value-removed',
  ),
  row(
    'any value of a field',
    { [`${read}/status/enum`]: undefined },
    'breaks response-enum-value-added',
    'keeps response-field-tightened',
  ),
  row(
    'values as alternatives',
    { [`${read}/status`]: { oneOf: [{ const: 'ACTIVE' }, { const: 'SUSPENDED' }] } },
    [],
    [],
  ),
  row(
    'the format of a field',
    { [`${read}/created/format`]: 'date' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row(
    'no format of a field',
    { [`${read}/created/format`]: undefined },
    'breaks response-field-retyped',
    'keeps response-field-narrowed',
  ),
  row(
    'a wider format of a field',
    { [`${read}/level/format`]: 'int64' },
    'breaks response-field-retyped',
    'keeps response-field-narrowed',
  ),
  row(
    'the length of a field',
    { [`${read}/lastName/maxLength`]: 80 },
    'keeps response-field-loosened',
    'keeps response-field-tightened',
  ),
  row(
    'a form of a field',
    { [`${read}/contact/oneOf/+`]: { $ref: '#/components/schemas/Fax' } },
    'breaks response-alternative-added',
    'keeps response-alternative-removed',
  ),
  row(
    'forms of a field that had one',
    {
      [`${read}/address`]: {
        anyOf: [
          { type: 'object', properties: { city: text }, required: ['city'] },
          { $ref: '#/components/schemas/Fax' },
        ],
      },
    },
    'breaks response-alternative-added',
    'keeps response-alternative-removed',
  ),
  row('a field within a form', { [`${schemas}/Fax/properties/line/type`]: 'string' }, [], []),
  row(
    'a part that others extend',
    { [`${schemas}/Identified/properties/id/type`]: 'string' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row(
    'parts written as one',
    {
      [`${schemas}/Preference`]: {
        type: 'object',
        required: ['id'],
        properties: { type: text, id: { type: 'integer' } },
      },
    },
    [],
    [],
  ),
  row(
    'a field in a circle',
    { [`${schemas}/Department/properties/name/type`]: 'integer' },
    'breaks response-field-retyped',
    'breaks response-field-retyped',
  ),
  row(
    'a field of a problem',
    { [`${schemas}/Problem/properties/code`]: undefined },
    'breaks response-field-removed',
    'keeps response-field-added',
  ),
  row(
    'a deprecated field of an answer',
    { [`${read}/firstName/deprecated`]: true },
    'keeps response-field-deprecated',
    [],
  ),
]

const forms: readonly Row[] = [
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

const credentials: readonly Row[] = [
  row(
    'credentials where none were asked',
    { [`${department}/get/security`]: [{ bearer: [] }] },
    'breaks security-added',
    'keeps security-loosened',
  ),
  row(
    'no word on credentials',
    { [`${department}/get/security`]: undefined },
    'breaks security-added',
    'keeps security-loosened',
  ),
  row(
    'other credentials',
    { [`${one}/get/security`]: [{ key: [] }] },
    ['breaks security-tightened', 'keeps security-loosened'],
    ['breaks security-tightened', 'keeps security-loosened'],
  ),
  row(
    'further credentials',
    { [`${one}/get/security`]: [{ bearer: [] }, { key: [] }] },
    'keeps security-loosened',
    'breaks security-tightened',
  ),
  row(
    'two credentials at once',
    { [`${one}/get/security`]: [{ bearer: [], key: [] }] },
    'breaks security-tightened',
    'keeps security-loosened',
  ),
  row(
    'a scope',
    { [`${department}/put/security/0/oauth/+`]: 'department:write' },
    'breaks security-tightened',
    'keeps security-loosened',
  ),
  row(
    'credentials of another kind',
    { '/components/securitySchemes/bearer/scheme': 'basic' },
    'breaks security-scheme-changed',
    'breaks security-scheme-changed',
  ),
]

const silent: readonly Row[] = [
  row(
    'words',
    {
      '/info/title': 'other',
      [`${user}/get/summary`]: 's',
      [`${read}/id/description`]: 'd',
      [`${read}/id/title`]: 't',
      [`${read}/id/examples`]: [1],
    },
    [],
    [],
  ),
  row('components that nothing uses', { [`${schemas}/Unused`]: text }, [], []),
  row(
    'a schema by another name',
    {
      [`${schemas}/Person`]: { $ref: '#/components/schemas/User' },
      [`${one}/get/responses/200/content/application~1json/schema`]: { $ref: '#/components/schemas/Person' },
    },
    [],
    [],
  ),
  row('a type that could be told', { [`${schemas}/Identified/type`]: undefined }, [], []),
]

export const rows: readonly Row[] = [
  ...operations,
  ...parameters,
  ...bodies,
  ...answers,
  ...forms,
  ...credentials,
  ...silent,
]
