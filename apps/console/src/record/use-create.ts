/** Creates a record by POST, and only once if a response is lost and the request is sent again. */
import { useState } from 'react'
import { createRecord } from '../http/create-record.ts'
import { useInvalidate } from '../http/queries.ts'
import { useIdempotencyKeys } from '../http/use-idempotency-keys.ts'
import type { Field } from '../model/record/field.ts'
import { newBody, type Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'

interface CreateOptions {
  readonly collection: Collection
  /** The path of the request. */
  readonly path: string
  readonly fields: readonly Field[]
  /** Values that the form does not have, such as the parents of the path. */
  readonly fixed?: Values
}

export function useCreate({ collection, path, fields, fixed = {} }: CreateOptions) {
  const { http } = useConsole()
  const invalidate = useInvalidate()
  const idempotencyKeys = useIdempotencyKeys()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  /** The created record; undefined if the service rejected it. */
  const create = async (values: Values): Promise<Json | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { ...fixed, ...newBody(fields, values) }
      const record = await createRecord(http, { collection, path, body, idempotencyKey: idempotencyKeys.keyOf(body) })
      idempotencyKeys.reset()
      await invalidate(collection)
      return record
    } catch (caught) {
      setError(caught)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { create, error, isBusy }
}
