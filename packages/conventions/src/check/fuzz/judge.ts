/** What is held against every answer to a request that was bent, whatever was wrong with it. */

import { type DocumentContent, isObject } from '@nomen/core/openapi'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject, OpenApiDocument } from '../../document/read-document.ts'
import { validatorOf } from '../case/observed.ts'
import type { Code } from '../catalogue.ts'
import { Skip } from '../finding.ts'
import { isJsonType } from '../request/exchange.ts'
import type { Surface } from '../surface.ts'
import { leakOf } from './leak.ts'
import { closedEarly, type Exchange } from './wire.ts'
import type { WireAnswer } from './wire-answer.ts'
import { type WireRequest, wireBytes } from './wire-request.ts'

export interface Verdict {
  readonly code: Code
  readonly expected: string
  readonly actual: string
  /** Whether the conventions leave it open. */
  readonly isOpen?: boolean
}

/** What HTTP itself may answer before an operation is asked; no document speaks of it. */
const ofHttp: ReadonlySet<number> = new Set([408, 414, 417, 421, 426, 431, 501, 505])

export class Judge {
  readonly #document: OpenApiDocument
  readonly #ajv: Ajv2020
  readonly #validators = new Map<JsonObject, ValidateFunction | undefined>()
  /** What the document requires of problems; undefined where it knows none. */
  readonly #problemNames: ReadonlySet<string> | undefined

  constructor(surface: Surface, ajv: Ajv2020) {
    this.#document = surface.document
    this.#ajv = ajv
    this.#problemNames = problemNames(surface)
  }

  *verdicts({ request, answers, silence }: Exchange): Generator<Verdict> {
    // whoever leaves waits for no answer, and whoever is done speaking may be taken for gone
    if (request.manner === 'left') return
    // a server that is no proxy may refuse a tunnel by closing, as Node does by itself
    const isGone = (request.manner === 'cut' || asksForTunnel(request)) && silence === closedEarly
    if (silence !== undefined && !isGone) yield { code: 'fuzz-answered', expected: 'an answer', actual: silence }
    for (const answer of answers) {
      const isBare = request.method === 'HEAD'
      yield* blame(request, answer)
      yield* tunnel(request, answer)
      if (answer.status >= 400 && !isBare) yield* this.#problem(answer)
      if (answer.status >= 400) yield* leak(request, answer)
      if (request.operation) yield* this.#promise(request, answer)
    }
  }

  *#problem({ status, headers, json }: WireAnswer): Generator<Verdict> {
    const isKnown = this.#problemNames !== undefined
    const names = [...(this.#problemNames ?? ['type', 'title', 'status'])]
    const wrong = () => {
      const type = headers.get('content-type') ?? ''
      if (!/^application\/problem\+json\b/i.test(type)) return `status ${status} comes with ${type || 'no media type'}`
      if (!isObject(json)) return `status ${status} comes with no object`
      const missing = names.find((name) => json[name] === undefined)
      if (missing !== undefined) return `the problem has no "${missing}"`
      return json.status === status ? undefined : `status ${status} comes with a problem of status ${json.status}`
    }
    const actual = wrong()
    const expected = `a problem document with ${names.join(', ')}`
    if (actual !== undefined) yield { code: 'fuzz-problem', expected, actual, isOpen: !isKnown }
  }

  *#promise({ operation }: WireRequest, answer: WireAnswer): Generator<Verdict> {
    const { status, headers, json } = answer
    const code = 'fuzz-promised'
    const responses = operation?.responses ?? new Map<string, DocumentContent>()
    const promised =
      responses.get(`${status}`) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default')
    if (!promised) {
      if (ofHttp.has(status)) return
      return yield { code, expected: `status ${[...responses.keys()].join(', ')}`, actual: `status ${status}` }
    }
    for (const [name, header] of promised.headers)
      if (header.required === true && !headers.has(name))
        yield { code, expected: `a header ${name} with status ${status}`, actual: 'there is none' }
    const type = (headers.get('content-type') ?? '').replace(/;.*/, '').trim()
    const schema = promised.media.get(type)?.raw
    if (json === undefined || schema === undefined || !isJsonType(type)) return
    const validate = this.#validator(schema)
    if (!validate || validate(json)) return
    const [error] = validate.errors ?? []
    const actual = `${error?.instancePath || 'the body'} ${error?.message} with status ${status}`
    yield { code, expected: 'the shape that the document promises', actual }
  }

  #validator(schema: JsonObject): ValidateFunction | undefined {
    if (!this.#validators.has(schema)) this.#validators.set(schema, this.#compiled(schema))
    return this.#validators.get(schema)
  }

  #compiled(schema: JsonObject): ValidateFunction | undefined {
    try {
      return validatorOf(schema, this.#document, this.#ajv)
    } catch (error) {
      if (error instanceof Skip) return undefined
      throw error
    }
  }
}

function* blame({ operation }: WireRequest, { status, headers, text }: WireAnswer): Generator<Verdict> {
  if (status < 500) return
  if (!operation && (status === 501 || status === 505)) return
  // announced, and only for a while
  if (status === 503 && headers.has('retry-after')) return
  const actual = `status ${status}, ${text.slice(0, 200).replaceAll(/\s+/g, ' ')}`
  yield { code: 'fuzz-blame', expected: 'an answer that blames the request', actual }
}

function asksForTunnel({ method, bytes }: WireRequest): boolean {
  return method === 'CONNECT' || bytes?.toString('latin1', 0, 8) === 'CONNECT '
}

function* tunnel(request: WireRequest, { status }: WireAnswer): Generator<Verdict> {
  if (asksForTunnel(request) && status >= 200 && status < 300)
    yield { code: 'fuzz-answered', expected: 'no tunnel to another host', actual: `status ${status}` }
}

function* leak(request: WireRequest, { headers, text }: WireAnswer): Generator<Verdict> {
  const told = `${text}\n${[...headers].join('\n')}`
  const found = leakOf(told, `${wireBytes(request)}${decoded(request)}`)
  if (found !== undefined)
    yield { code: 'fuzz-leak', expected: 'nothing of the inside of the service', actual: `it tells ${found}` }
}

/** As it is meant, as far as it can be read. */
function decoded({ path, query }: WireRequest): string {
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
