/** Checks the responses to malformed requests. */

import { type DocumentContent, isObject } from '@nomen/core/openapi'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject, OpenApiDocument } from '../../document/read-document.ts'
import type { Code } from '../catalog.ts'
import { Skip } from '../finding.ts'
import { validatorOf } from '../json-schema.ts'
import { isJsonType } from '../request/exchange.ts'
import type { Surface } from '../surface.ts'
import { leakOf } from './leak.ts'
import { closedEarly, type Exchange } from './raw-connection.ts'
import { type WireRequest, wireBytes } from './wire-request.ts'
import type { WireResponse } from './wire-response.ts'

export interface Verdict {
  readonly code: Code
  readonly expected: string
  readonly actual: string
  /** Whether the conventions do not specify it. */
  readonly isUnspecified?: boolean
}

/** Statuses of the HTTP layer, which a document does not describe. */
const httpStatuses: ReadonlySet<number> = new Set([408, 414, 417, 421, 426, 431, 501, 505])

export class ResponseCheck {
  readonly #document: OpenApiDocument
  readonly #ajv: Ajv2020
  readonly #validators = new Map<JsonObject, ValidateFunction | undefined>()
  /** The required properties of problems in the document; undefined if it has none. */
  readonly #problemNames: ReadonlySet<string> | undefined

  constructor(surface: Surface, ajv: Ajv2020) {
    this.#document = surface.document
    this.#ajv = ajv
    this.#problemNames = problemNames(surface)
  }

  *verdicts({ request, responses, failure }: Exchange): Generator<Verdict> {
    // A client that disconnects gets no response, and one that half-closes may count as disconnected.
    if (request.mode === 'aborted') return
    // A server that is not a proxy may close the connection after CONNECT, as Node does.
    const isClosedByService = (request.mode === 'half-closed' || asksForTunnel(request)) && failure === closedEarly
    if (failure !== undefined && !isClosedByService)
      yield { code: 'fuzz-response', expected: 'a response', actual: failure }
    for (const response of responses) {
      const hasNoBody = request.method === 'HEAD'
      yield* serverErrorVerdicts(request, response)
      yield* tunnelVerdicts(request, response)
      if (response.status >= 400 && !hasNoBody) yield* this.#problemVerdicts(response)
      if (response.status >= 400) yield* leakVerdicts(request, response)
      if (request.operation) yield* this.#documentVerdicts(request, response)
    }
  }

  *#problemVerdicts({ status, headers, json }: WireResponse): Generator<Verdict> {
    const isDescribed = this.#problemNames !== undefined
    const names = [...(this.#problemNames ?? ['type', 'title', 'status'])]
    const problemFault = () => {
      const type = headers.get('content-type') ?? ''
      if (!/^application\/problem\+json\b/i.test(type)) return `status ${status} has ${type || 'no media type'}`
      if (!isObject(json)) return `the body of status ${status} is not an object`
      const missing = names.find((name) => json[name] === undefined)
      if (missing !== undefined) return `the problem has no "${missing}"`
      return json.status === status ? undefined : `status ${status} has a problem with status ${json.status}`
    }
    const actual = problemFault()
    const expected = `a problem document with ${names.join(', ')}`
    if (actual !== undefined) yield { code: 'fuzz-problem', expected, actual, isUnspecified: !isDescribed }
  }

  *#documentVerdicts({ operation }: WireRequest, response: WireResponse): Generator<Verdict> {
    const { status, headers, json } = response
    const code = 'fuzz-document'
    const responses = operation?.responses ?? new Map<string, DocumentContent>()
    const documented =
      responses.get(`${status}`) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default')
    if (!documented) {
      if (httpStatuses.has(status)) return
      return yield { code, expected: `status ${[...responses.keys()].join(', ')}`, actual: `status ${status}` }
    }
    for (const [name, header] of documented.headers)
      if (header.required === true && !headers.has(name))
        yield { code, expected: `a header ${name} with status ${status}`, actual: 'it is missing' }
    const type = (headers.get('content-type') ?? '').replace(/;.*/, '').trim()
    const schema = documented.media.get(type)?.raw
    if (json === undefined || schema === undefined || !isJsonType(type)) return
    const validate = this.#validator(schema)
    if (!validate || validate(json)) return
    const [error] = validate.errors ?? []
    const actual = `${error?.instancePath || 'the body'} ${error?.message} with status ${status}`
    yield { code, expected: 'the shape in the document', actual }
  }

  #validator(schema: JsonObject): ValidateFunction | undefined {
    if (!this.#validators.has(schema)) this.#validators.set(schema, this.#compile(schema))
    return this.#validators.get(schema)
  }

  #compile(schema: JsonObject): ValidateFunction | undefined {
    try {
      return validatorOf(schema, this.#document, this.#ajv)
    } catch (error) {
      if (error instanceof Skip) return undefined
      throw error
    }
  }
}

function* serverErrorVerdicts({ operation }: WireRequest, { status, headers, text }: WireResponse): Generator<Verdict> {
  if (status < 500) return
  if (!operation && (status === 501 || status === 505)) return
  // A temporary 503 with Retry-After is allowed.
  if (status === 503 && headers.has('retry-after')) return
  const actual = `status ${status}, ${text.slice(0, 200).replaceAll(/\s+/g, ' ')}`
  yield { code: 'fuzz-server-error', expected: 'a 4xx status', actual }
}

function asksForTunnel({ method, bytes }: WireRequest): boolean {
  return method === 'CONNECT' || bytes?.toString('latin1', 0, 8) === 'CONNECT '
}

function* tunnelVerdicts(request: WireRequest, { status }: WireResponse): Generator<Verdict> {
  if (asksForTunnel(request) && status >= 200 && status < 300)
    yield { code: 'fuzz-response', expected: 'no tunnel to another host', actual: `status ${status}` }
}

function* leakVerdicts(request: WireRequest, { headers, text }: WireResponse): Generator<Verdict> {
  const content = `${text}\n${[...headers].join('\n')}`
  const leaked = leakOf(content, `${wireBytes(request)}${decodedTarget(request)}`)
  if (leaked !== undefined)
    yield { code: 'fuzz-leak', expected: 'no internals of the service', actual: `the response contains ${leaked}` }
}

/** The decoded target, as far as it can be decoded. */
function decodedTarget({ path, query }: WireRequest): string {
  const bytes = (run: string) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()
  return `${path} ${query.join(' ')}`.replaceAll(/(?:%[\da-f]{2})+/gi, bytes)
}

function problemNames({ table }: Surface): ReadonlySet<string> | undefined {
  for (const { responses } of table.operations)
    for (const { media } of responses.values()) {
      const shape = media.get('application/problem+json')
      if (!shape) continue
      const required = [...shape.properties.values()].filter(({ isRequired }) => isRequired)
      return new Set(['type', 'title', 'status', ...required.map(({ name }) => name)])
    }
  return undefined
}
