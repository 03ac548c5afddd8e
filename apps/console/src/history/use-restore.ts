/** Restores a deleted record, with its ID, its links and the records that it owned. */
import { useState } from 'react'
import { useInvalidate } from '../http/queries.ts'
import { recordFrom } from '../http/response-body.ts'
import { text } from '../language/language.ts'
import type { RecordLocation } from '../model/history/entry.ts'
import { labelOf } from '../model/record/label.ts'
import { recordPath } from '../model/route.ts'
import { writeCollectionOf } from '../model/service/relation.ts'
import { useConsole } from '../state/console-context.ts'

/** The location is where the record is written. Undefined if the service does not offer the operation. */
export function useRestore(location: RecordLocation | undefined):
  | {
      readonly isBusy: boolean
      readonly error: unknown
      restore(): Promise<void>
    }
  | undefined {
  const { service, http, notify } = useConsole()
  const invalidate = useInvalidate()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  if (!location?.collection.operations.restore) return undefined
  const { collection, ids } = location
  const restore = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const path = `${recordPath(collection, ids)}/restoration`
      const { body } = await http.send({ base: collection.api.base, method: 'POST', path })
      await invalidate(collection)
      notify({ text: text().history.restored(labelOf(service, collection, recordFrom(collection, body))) })
    } catch (restoreError) {
      setError(restoreError)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, restore }
}

/** The record at the path where it is written. */
export function writeLocation({ collection, ids }: RecordLocation): RecordLocation {
  const writeCollection = writeCollectionOf(collection)
  return { collection: writeCollection, ids: writeCollection === collection ? ids : ids.slice(-1) }
}
