/** Changes of responses, their headers and their fields. */
import { department, type Row, read, record, row, schemas, text, user } from './row.ts'

export const responseRows: readonly Row[] = [
  row('a default of an answer', { [`${read}/firstName/default`]: 'x' }, [], []),
  row('a writeOnly field of an answer', { [`${read}/secret`]: { ...text, writeOnly: true } }, [], []),
  row('a readOnly field of an answer', { [`${read}/firstName/readOnly`]: true }, [], []),
  row(
    'the response of all other statuses',
    { [`${record}/get/responses/default`]: { description: 'd' } },
    'compatible error-status-added',
    'compatible error-status-removed',
  ),
  row(
    'a success',
    { [`${record}/delete/responses`]: { '204': { description: 'd' } } },
    ['breaking response-status-added', 'breaking response-status-removed'],
    ['breaking response-status-added', 'breaking response-status-removed'],
  ),
  row(
    'a further success',
    { [`${record}/delete/responses/202`]: { description: 'd' } },
    'breaking response-status-added',
    'breaking response-status-removed',
  ),
  row(
    'a redirect',
    { [`${record}/get/responses/302`]: { description: 'd' } },
    'compatible redirect-status-added',
    'compatible redirect-status-removed',
  ),
  row(
    'an error',
    { [`${record}/get/responses/404`]: undefined },
    'compatible error-status-removed',
    'compatible error-status-added',
  ),
  row(
    'an error by its class',
    { [`${record}/get/responses/404`]: undefined, [`${record}/get/responses/4XX`]: { description: 'd' } },
    [],
    [],
  ),
  row(
    'a success by its class',
    {
      [`${record}/delete/responses/200`]: undefined,
      [`${record}/delete/responses/2XX`]: {
        description: 'd',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
      },
    },
    [],
    [],
  ),
  row(
    'a success by the response of all statuses',
    {
      [`${record}/delete/responses`]: {
        default: {
          description: 'd',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
      },
    },
    'compatible error-status-added',
    'compatible error-status-removed',
  ),
  row(
    'another success by the response of all statuses',
    {
      [`${record}/delete/responses`]: {
        default: { description: 'd', content: { 'application/json': { schema: { type: 'array' } } } },
      },
    },
    ['breaking response-field-retyped', 'compatible error-status-added'],
    ['breaking response-field-retyped', 'compatible error-status-removed'],
  ),
  row(
    'a charset of an answer',
    {
      [`${record}/delete/responses/200/content`]: {
        'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/User' } },
      },
    },
    [],
    [],
  ),
  row(
    'a success by its class, with another body',
    {
      [`${record}/delete/responses/200`]: undefined,
      [`${record}/delete/responses/2XX`]: { description: 'd', content: { 'application/json': { schema: text } } },
    },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'no schema of a header',
    { [`${record}/get/responses/200/headers/ETag/schema`]: undefined },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'a header in JSON',
    {
      [`${record}/get/responses/200/headers/ETag`]: {
        content: { 'application/json': { schema: { type: 'integer' } } },
      },
    },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'the elements of a stream',
    { [`${record}/delete/responses/200/content/application~1json/itemSchema`]: text },
    'compatible response-field-narrowed',
    'breaking response-field-retyped',
  ),
  row(
    'a body of an answer',
    { [`${record}/delete/responses/200/content`]: undefined },
    'breaking response-body-removed',
    'compatible response-media-type-added',
  ),
  row(
    'a media type of answers',
    { [`${record}/get/responses/200/content/application~1xml`]: {} },
    'compatible response-media-type-added',
    'breaking response-media-type-removed',
  ),
  row(
    'a header of an answer',
    { [`${record}/get/responses/200/headers`]: undefined },
    'breaking response-header-removed',
    'compatible response-header-added',
  ),
  row(
    'a header that may be missing',
    { [`${user}/post/responses/201/headers/Location/required`]: false },
    'breaking response-header-made-optional',
    'compatible response-header-made-required',
  ),
  row(
    'the type of a header',
    { [`${record}/get/responses/200/headers/ETag/schema/type`]: 'integer' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'a Content-Type header, which OpenAPI ignores',
    { [`${record}/get/responses/200/headers/content-Type`]: { required: true, schema: text } },
    [],
    [],
  ),
  row('a header in other letters', { [`${record}/get/responses/200/headers`]: { etag: { schema: text } } }, [], []),
  row(
    'an envelope',
    {
      [`${department}/get/responses/200/content/application~1json/schema`]: {
        type: 'array',
        items: { $ref: '#/components/schemas/Department' },
      },
    },
    'breaking envelope-to-array',
    'breaking array-to-envelope',
  ),
  row(
    'a number of pages',
    { [`${schemas}/PageInfo/properties/numberOfPages`]: undefined, [`${schemas}/PageInfo/required/2`]: undefined },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'a field of a list',
    { [`${schemas}/UserListItem/properties/phone`]: text },
    'compatible response-field-added',
    'breaking response-field-removed',
  ),
  row(
    'a field of a record',
    { [`${read}/firstName`]: undefined, [`${schemas}/User/required/1`]: undefined },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'a field that is written and never read',
    { [`${read}/firstName/writeOnly`]: true },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'a field below another',
    { [`${read}/address/properties/city`]: undefined, [`${read}/address/required`]: [] },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'the type of a field',
    { [`${read}/id/type`]: 'string' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'an integer that may be a number',
    { [`${read}/id/type`]: 'number' },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'the type of elements',
    { [`${read}/tag/items/type`]: 'integer' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'elements of any type',
    { [`${read}/tag/items`]: undefined },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'a field that may be missing',
    { [`${schemas}/User/required/1`]: undefined },
    'breaking response-field-made-optional',
    'compatible response-field-made-required',
  ),
  row(
    'a field that may be null',
    { [`${read}/firstName/type`]: ['string', 'null'] },
    'breaking response-field-nullable',
    'compatible response-field-not-nullable',
  ),
  row(
    'a field that may be null, in the words of 3.0',
    { [`${read}/firstName/nullable`]: true },
    'breaking response-field-nullable',
    'compatible response-field-not-nullable',
  ),
  row(
    'a field that may be null, as an alternative',
    { [`${read}/firstName`]: { anyOf: [text, { type: 'null' }] } },
    'breaking response-field-nullable',
    'compatible response-field-not-nullable',
  ),
  row('null in other words', { [`${read}/supervisor`]: { type: 'integer', nullable: true } }, [], []),
  row(
    'null in a third notation',
    { [`${read}/supervisor`]: { oneOf: [{ type: 'null' }, { type: 'integer' }] } },
    [],
    [],
  ),
  row(
    'a value of a field',
    { [`${read}/status/enum/+`]: 'LOCKED' },
    'breaking response-enum-value-added',
    'compatible response-enum-value-removed',
  ),
  row(
    'any value of a field',
    { [`${read}/status/enum`]: undefined },
    'breaking response-enum-value-added',
    'compatible response-field-tightened',
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
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'no format of a field',
    { [`${read}/created/format`]: undefined },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'a wider format of a field',
    { [`${read}/level/format`]: 'int64' },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'the length of a field',
    { [`${read}/lastName/maxLength`]: 80 },
    'compatible response-field-loosened',
    'compatible response-field-tightened',
  ),
  row(
    'a form of a field',
    { [`${read}/contact/oneOf/+`]: { $ref: '#/components/schemas/Fax' } },
    'breaking response-alternative-added',
    'compatible response-alternative-removed',
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
    'breaking response-alternative-added',
    'compatible response-alternative-removed',
  ),
  row('a field within a form', { [`${schemas}/Fax/properties/line/type`]: 'string' }, [], []),
  row(
    'a part that others extend',
    { [`${schemas}/Identified/properties/id/type`]: 'string' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
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
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'a field of a problem',
    { [`${schemas}/Problem/properties/code`]: undefined },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'a deprecated field of an answer',
    { [`${read}/firstName/deprecated`]: true },
    'compatible response-field-deprecated',
    [],
  ),
  row(
    'no schema of an answer',
    { [`${record}/delete/responses/200/content/application~1json`]: {} },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'an empty schema of an answer',
    { [`${record}/delete/responses/200/content/application~1json/schema`]: {} },
    'breaking response-field-retyped',
    'compatible response-field-narrowed',
  ),
  row(
    'an optional writeOnly field made required',
    { [`${read}/secret`]: { ...text, writeOnly: true }, [`${schemas}/User/required/+`]: 'secret' },
    [],
    [],
  ),
  row(
    'another media type of an answer',
    {
      [`${record}/delete/responses/200/content`]: {
        'application/hal+json': { schema: { $ref: '#/components/schemas/User' } },
      },
    },
    ['breaking response-media-type-removed', 'compatible response-media-type-added'],
    ['breaking response-media-type-removed', 'compatible response-media-type-added'],
  ),
  row(
    'a required header of an answer',
    { [`${user}/post/responses/201/headers/Location`]: undefined },
    'breaking response-header-removed',
    'compatible response-header-added',
  ),
]
