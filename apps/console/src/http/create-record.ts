/** Creates a record by POST, with an idempotency key if the service takes one. */
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import type { HttpClient } from './http-client.ts'
import { recordFrom } from './response-body.ts'

interface Creation {
  readonly collection: Collection
  /** The path of the request. */
  readonly path: string
  readonly body: Json
  readonly idempotencyKey: string
}

export async function createRecord(
  http: HttpClient,
  { collection, path, body, idempotencyKey }: Creation,
): Promise<Json> {
  const { api, operations } = collection
  const isKeyed = operations.create?.parameters.some(({ name }) => name === 'Idempotency-Key') === true
  const headers = { 'idempotency-key': idempotencyKey }
  const response = await http.send({ base: api.base, method: 'POST', path, body, ...(isKeyed && { headers }) })
  return recordFrom(collection, response.body)
}
