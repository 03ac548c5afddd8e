/** Holds every answer to what the document of its api promises: the status, the headers, the body. */
import { type JsonSchema, type Operation, operations, type Problem } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { access, directory } from '../src/index.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
// The package is CommonJS, and its default is one level deeper than it says.
;(formats as unknown as (on: Ajv2020) => void)(ajv)

interface Promised {
  readonly headers?: { readonly [name: string]: unknown }
  readonly content?: { readonly [type: string]: { readonly schema: JsonSchema } }
}

/** What is promised to anyone, and to those who must show a token. */
const promises = { open: documents(false), secured: documents(true) }

function documents(isSecured: boolean) {
  return [directory, access].map((api) => {
    const document = openapi(api, { isSecured })
    const id = `https://example.com/${isSecured ? 'secured/' : ''}${api.name}`
    ajv.addSchema({ ...document, $id: id })
    return { table: operations(api), document, id }
  })
}

const validators = new Map<string, ValidateFunction>()

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** Answers to what is no operation are promised by nobody. */
export function expectPromised(
  method: string,
  url: string,
  { status, headers, body }: Answered,
  kind: keyof typeof promises = 'open',
): void {
  const found = operationAt(kind, method === 'HEAD' ? 'GET' : method, url.replace(/[?#].*$/, ''))
  if (!found || status === 405 || (body as Problem | undefined)?.code === 'path-not-found') return
  const { operation, document, id } = found
  const what = `${method} ${url.slice(0, 200)} gives ${status}`
  const responses = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses as {
    [status: string]: Promised & { $ref?: string }
  }
  expect(Object.keys(responses), what).toContain(`${status}`)
  const { $ref } = responses[status] ?? {}
  const name = $ref?.replace('#/components/responses/', '')
  const promised = (name === undefined ? responses[status] : document.components.responses?.[name]) as Promised
  for (const header of Object.keys(promised.headers ?? {}))
    expect(headers[header.toLowerCase()], `${what}, ${header}`).toBeDefined()
  if (body === undefined) return
  const type = `${headers['content-type']}`.replace(/;.*$/, '')
  expect(Object.keys(promised.content ?? {}), what).toContain(type)
  const base =
    name === undefined
      ? `paths/${pointer(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`
      : `components/responses/${name}`
  const validate = validatorAt(`${id}#/${base}/content/${pointer(type)}/schema`)
  validate(body)
  expect(validate.errors ?? [], what).toEqual([])
}

function operationAt(kind: keyof typeof promises, method: string, path: string) {
  for (const { table, ...rest } of promises[kind]) {
    const operation = table.find((one) => one.method === method && patternOf(one).test(path))
    if (operation) return { operation, ...rest }
  }
  return undefined
}

const patterns = new Map<Operation, RegExp>()

function patternOf(operation: Operation): RegExp {
  const known = patterns.get(operation)
  if (known) return known
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)
  patterns.set(operation, pattern)
  return pattern
}

function validatorAt(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference })
  validators.set(reference, known)
  return known
}

function pointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
