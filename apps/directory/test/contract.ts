/** Checks the status, headers and body of every response against the OpenAPI document. */
import { type JsonSchema, type Operation, operations, type Problem } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { access, directory } from '../src/index.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
// The package is CommonJS, and its default is one level deeper than it says.
;(formats as unknown as (target: Ajv2020) => void)(ajv)

interface DocumentedResponse {
  readonly headers?: { readonly [name: string]: unknown }
  readonly content?: { readonly [type: string]: { readonly schema: JsonSchema } }
}

/** The documents without and with authentication. */
const documentsByKind = { open: documents(false), secured: documents(true) }

function documents(isSecured: boolean) {
  return [directory, access].map((api) => {
    const document = openapi(api, { isSecured })
    const id = `https://example.com/${isSecured ? 'secured/' : ''}${api.name}`
    ajv.addSchema({ ...document, $id: id })
    return { table: operations(api), document, id }
  })
}

const validators = new Map<string, ValidateFunction>()

export interface CheckedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** Checks a response. The documents do not describe paths without an operation, so their responses are not checked. */
export function expectDocumented(
  method: string,
  url: string,
  { status, headers, body }: CheckedResponse,
  kind: keyof typeof documentsByKind = 'open',
): void {
  const match = operationAt(kind, method === 'HEAD' ? 'GET' : method, url.replace(/[?#].*$/, ''))
  if (!match || status === 405 || (body as Problem | undefined)?.code === 'path-not-found') return
  const { operation, document, id } = match
  const description = `${method} ${url.slice(0, 200)} gives ${status}`
  const responses = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses as {
    [status: string]: DocumentedResponse & { $ref?: string }
  }
  expect(Object.keys(responses), description).toContain(`${status}`)
  const { $ref } = responses[status] ?? {}
  const name = $ref?.replace('#/components/responses/', '')
  const documented = (
    name === undefined ? responses[status] : document.components.responses?.[name]
  ) as DocumentedResponse
  // Lists of changes have a Link only if the client follows them.
  const isOptional = (header: string) => header === 'Link' && operation.list?.canBeFollowed === true
  for (const header of Object.keys(documented.headers ?? {}).filter((name) => !isOptional(name)))
    expect(headers[header.toLowerCase()], `${description}, ${header}`).toBeDefined()
  if (body === undefined) return
  const type = `${headers['content-type']}`.replace(/;.*$/, '')
  expect(Object.keys(documented.content ?? {}), description).toContain(type)
  const base =
    name === undefined
      ? `paths/${pointer(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`
      : `components/responses/${name}`
  const validate = validatorAt(`${id}#/${base}/content/${pointer(type)}/schema`)
  validate(body)
  expect(validate.errors ?? [], description).toEqual([])
}

function operationAt(kind: keyof typeof documentsByKind, method: string, path: string) {
  for (const { table, ...rest } of documentsByKind[kind]) {
    const candidates = table.filter((candidate) => candidate.method === method && patternOf(candidate).test(path))
    // A path without parameters is more specific: /user/change, not /user/{id}.
    const operation = candidates.find((candidate) => !candidate.path.includes('{')) ?? candidates[0]
    if (operation) return { operation, ...rest }
  }
  return undefined
}

const patterns = new Map<Operation, RegExp>()

function patternOf(operation: Operation): RegExp {
  const cached = patterns.get(operation)
  if (cached) return cached
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)
  patterns.set(operation, pattern)
  return pattern
}

function validatorAt(reference: string): ValidateFunction {
  const cached = validators.get(reference) ?? ajv.compile({ $ref: reference })
  validators.set(reference, cached)
  return cached
}

function pointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
