/** Changes of requests that the service sends, of webhooks and callbacks, and of operations of OpenAPI 3.2. */
import type { Edits } from '../base-document.ts'
import { type Row, record, row, schemas, text } from './row.ts'

const webhook = '/webhooks/user.created'
const body = `${webhook}/post/requestBody`
const json = `${body}/content/application~1json/schema`
const response = `${webhook}/post/responses/200`
const read = `${response}/content/application~1json/schema`
const url = '{$request.body#~1url}'
const callback = `${record}/put/callbacks/changed/${url}/post`
const copy = `${record}/additionalOperations`
const event = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, kind: text } }
const content = (schema: object) => ({ 'application/json': { schema } })
const responses = { 200: { description: 'd' } }

export const withWebhook: Edits = {
  [`${schemas}/Event`]: event,
  '/webhooks': {
    'user.created': {
      parameters: [{ name: 'webhook-signature', in: 'header', required: true, schema: { ...text } }],
      post: {
        security: [{ bearer: [] }],
        requestBody: { required: true, content: content({ $ref: '#/components/schemas/Event' }) },
        responses: {
          200: {
            description: 'd',
            headers: { 'X-Receiver': { schema: { ...text } } },
            content: content({ type: 'object', properties: { status: { type: 'string', enum: ['DONE', 'LATER'] } } }),
          },
          410: { description: 'd' },
        },
      },
    },
  },
  [`${record}/put/callbacks`]: {
    changed: { '{$request.body#/url}': { post: { requestBody: { content: content(event) }, responses } } },
  },
  [`${record}/query`]: { requestBody: { content: content(event) }, responses },
  [copy]: { COPY: { requestBody: { content: content(event) }, responses } },
}

export const webhookRows: readonly Row[] = [
  row(
    'a new webhook',
    { '/webhooks/user.deleted': { post: { responses } } },
    'compatible webhook-added',
    'breaking webhook-removed',
  ),
  row(
    'another method of a webhook',
    { [`${webhook}/post`]: undefined, [`${webhook}/put`]: { responses } },
    ['breaking webhook-removed', 'compatible webhook-added'],
    ['breaking webhook-removed', 'compatible webhook-added'],
  ),
  row(
    'another signature header',
    { [`${webhook}/parameters/0/name`]: 'x-signature' },
    ['breaking webhook-parameter-removed', 'compatible webhook-parameter-added'],
    ['breaking webhook-parameter-removed', 'compatible webhook-parameter-added'],
  ),
  row(
    'headers of a webhook that OpenAPI ignores',
    {
      [`${webhook}/parameters/+`]: { name: 'Authorization', in: 'header', required: true, schema: text },
      [`${response}/headers/Content-Type`]: { required: true, schema: text },
    },
    [],
    [],
  ),
  row(
    'an optional signature header',
    { [`${webhook}/parameters/0/required`]: false },
    'breaking webhook-parameter-made-optional',
    'compatible webhook-parameter-made-required',
  ),
  row(
    'a numeric header of a webhook',
    { [`${webhook}/parameters/0/schema/type`]: 'integer' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row('no body', { [body]: undefined }, 'breaking webhook-body-removed', 'compatible webhook-body-added'),
  row(
    'an optional body',
    { [`${body}/required`]: false },
    'breaking webhook-body-made-optional',
    'compatible webhook-body-made-required',
  ),
  row(
    'a further media type of a webhook',
    { [`${body}/content/application~1cloudevents+json`]: { schema: {} } },
    'breaking webhook-media-type-added',
    'compatible webhook-media-type-removed',
  ),
  row(
    'a further field of the body',
    { [json]: { ...event, properties: { ...event.properties, user: text } } },
    'compatible response-field-added',
    'breaking response-field-removed',
  ),
  row(
    'an optional field of the body',
    { [`${schemas}/Event/required`]: [] },
    'breaking response-field-made-optional',
    'compatible response-field-made-required',
  ),
  row(
    'a required response of receivers',
    { [`${webhook}/post/responses/202`]: { description: 'd' } },
    'compatible webhook-response-added',
    'breaking webhook-response-removed',
  ),
  row(
    'any response of receivers in the class of an allowed one',
    { [`${webhook}/post/responses`]: { '2XX': { description: 'd' }, 410: { description: 'd' } } },
    [
      'compatible webhook-response-added',
      'compatible webhook-response-body-removed',
      'compatible webhook-response-header-optional',
    ],
    'breaking webhook-response-removed',
  ),
  row(
    'a response of receivers without a body',
    { [`${response}/content`]: undefined },
    'compatible webhook-response-body-removed',
    'breaking webhook-response-body-added',
  ),
  row(
    'a further media type for the response of receivers',
    { [`${response}/content/text~1plain`]: {} },
    'compatible webhook-response-media-type-added',
    'breaking webhook-response-media-type-removed',
  ),
  row(
    'a required header of receivers',
    { [`${response}/headers/X-Receiver/required`]: true },
    'breaking webhook-response-header-required',
    'compatible webhook-response-header-optional',
  ),
  row(
    'a required field in the response of receivers',
    { [`${read}/required`]: ['status'] },
    'breaking request-field-made-required',
    'compatible request-field-made-optional',
  ),
  row(
    'one value less that receivers may send',
    { [`${read}/properties/status/enum`]: ['DONE'] },
    'breaking request-enum-value-removed',
    'compatible request-enum-value-added',
  ),
  row(
    'other credentials of a webhook',
    { [`${webhook}/post/security`]: [{ key: [] }] },
    'breaking webhook-security-changed',
    'breaking webhook-security-changed',
  ),
  row(
    'a deprecated webhook',
    { [`${webhook}/post/deprecated`]: true },
    'compatible operation-deprecated',
    'compatible operation-undeprecated',
  ),
  row(
    'no callback',
    { [`${record}/put/callbacks`]: undefined },
    'breaking callback-removed',
    'compatible callback-added',
  ),
  row(
    'a field of a callback that is no longer sent',
    { [`${callback}/requestBody/content/application~1json/schema/properties/kind`]: undefined },
    'breaking response-field-removed',
    'compatible response-field-added',
  ),
  row(
    'no query operation',
    { [`${record}/query`]: undefined },
    'breaking operation-removed',
    'compatible operation-added',
  ),
  row(
    'a required field of a query operation',
    { [`${record}/query/requestBody/content/application~1json/schema/required`]: ['id', 'kind'] },
    'breaking request-field-made-required',
    'compatible request-field-made-optional',
  ),
  row('no additional operation', { [copy]: undefined }, 'breaking operation-removed', 'compatible operation-added'),
  row(
    'a required field of an additional operation',
    { [`${copy}/COPY/requestBody/content/application~1json/schema/required`]: ['id', 'kind'] },
    'breaking request-field-made-required',
    'compatible request-field-made-optional',
  ),
]
