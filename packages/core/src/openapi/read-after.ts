/** What an operation has more where reads may come from replicas: writes tell a state, and reads can ask for it. */
import type { JsonSchema } from '../field/schema.ts'
import type { Operation } from '../operation/operation.ts'
import { headerRef, parameterRef } from './shared.ts'

type Response = { readonly headers?: JsonSchema }

export function withReadAfter({ method }: Operation, object: JsonSchema): JsonSchema {
  if (method === 'GET')
    return { ...object, parameters: [...(object.parameters as JsonSchema[]), parameterRef('ReadAfter')] }
  const responses = Object.entries(object.responses as Readonly<Record<string, Response>>).map(([status, response]) =>
    status.startsWith('2')
      ? [status, { ...response, headers: { ...response.headers, 'X-Read-After': headerRef('ReadAfter') } }]
      : [status, response],
  )
  return { ...object, responses: Object.fromEntries(responses) }
}
