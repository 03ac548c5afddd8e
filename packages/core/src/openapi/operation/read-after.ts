/** Read-your-writes with replicas: writes return a state, and reads can require it. */
import type { JsonSchema } from '../../field/schema.ts'
import type { Operation } from '../../operation/operation.ts'
import { headerRef, parameterRef } from '../shared.ts'

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
