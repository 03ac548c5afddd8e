/** The parts of an operation that have a schema, in which every keyword is compared. */
import type { Json, JsonObject } from '../../src/index.ts'
import type { KeywordRow, Verdict } from './keyword-row.ts'

type Verdicts = readonly [Verdict, Verdict]

export interface SchemaLocation {
  readonly name: string
  /** The operation with the schema at this location. */
  readonly operation: (schema: Json) => JsonObject
  /** The verdicts of a row at this location, from old to next, and back. */
  readonly verdicts: (row: KeywordRow) => Verdicts
}

const text = { type: 'string' }
const none: Verdicts = ['none', 'none']
const content = (schema: Json) => ({ 'application/json': { schema } })
const record = (value: Json) => content({ type: 'object', properties: { value, other: text } })
const request = (media: JsonObject) => ({ requestBody: { content: media }, ...response({}) })
const response = (members: JsonObject) => ({ responses: { '200': { description: 'd', ...members } } })
const parameter = (members: JsonObject) => ({ parameters: [{ name: 'value', ...members }], ...response({}) })
const marked = (schema: Json, keyword: string): Json => ({ ...(schema as JsonObject), [keyword]: true })

/** Only fields are left out of requests or responses, not whole bodies. */
const whole =
  (use: 'request' | 'response') =>
  ({ keyword, [use]: verdicts }: KeywordRow): Verdicts =>
    keyword === 'readOnly' || keyword === 'writeOnly' ? none : verdicts

/** Rows from a text to a number. */
const fromText = /^(type changed|\$ref to another schema|.+ retyped|.+ beside (items|additionalProperties))$/

/** The default of an optional parameter matters, and in a URL or a header every number is a text. */
const parameterVerdicts =
  ({ isText }: { isText: boolean }) =>
  (row: KeywordRow): Verdicts => {
    if (row.keyword.startsWith('default ')) return ['breaking', 'breaking']
    if (isText && row.keyword === 'type narrowed') return none
    return isText && fromText.test(row.keyword) ? ['breaking', 'compatible'] : whole('request')(row)
  }

const textVerdicts = parameterVerdicts({ isText: true })

export const schemaLocations: readonly SchemaLocation[] = [
  {
    name: 'a field of a request',
    operation: (schema) => request(record(schema)),
    verdicts: (row) => row.request,
  },
  {
    name: 'a readOnly field of a request',
    operation: (schema) => request(record(marked(schema, 'readOnly'))),
    verdicts: () => none,
  },
  { name: 'the body of a request', operation: (schema) => request(content(schema)), verdicts: whole('request') },
  {
    name: 'a query parameter',
    operation: (schema) => parameter({ in: 'query', schema }),
    verdicts: textVerdicts,
  },
  {
    name: 'a header of a request',
    operation: (schema) => parameter({ in: 'header', schema }),
    verdicts: textVerdicts,
  },
  {
    name: 'a property of a query parameter',
    operation: (schema) =>
      parameter({
        in: 'query',
        style: 'deepObject',
        schema: { type: 'object', properties: { value: schema, other: text } },
      }),
    verdicts: (row) => (/^(default|readOnly)/.test(row.keyword) ? row.request : textVerdicts(row)),
  },
  {
    name: 'a query parameter in JSON',
    operation: (schema) => parameter({ in: 'query', content: content(schema) }),
    verdicts: parameterVerdicts({ isText: false }),
  },
  {
    name: 'a field of a response',
    operation: (schema) => response({ content: record(schema) }),
    verdicts: (row) => row.response,
  },
  {
    name: 'a writeOnly field of a response',
    operation: (schema) => response({ content: record(marked(schema, 'writeOnly')) }),
    verdicts: () => none,
  },
  {
    name: 'the body of a response',
    operation: (schema) => response({ content: content(schema) }),
    verdicts: whole('response'),
  },
  {
    name: 'a header of a response',
    operation: (schema) => response({ headers: { Value: { schema } } }),
    verdicts: whole('response'),
  },
]
