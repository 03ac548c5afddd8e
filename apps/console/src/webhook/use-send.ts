/** Sends an event of a webhook now, and reports the outcome. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { text } from '../language/language.ts'
import { fill } from '../model/route.ts'
import type { Action } from '../model/service/action.ts'
import { isObject } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { deliveryFrom } from '../model/webhook.ts'
import { useConsole } from '../state/console-context.ts'
import { useAttempt } from '../state/use-attempt.ts'

export function useSend({ api: { base }, noun }: Collection, ids: readonly unknown[]) {
  const { http, notify } = useConsole()
  const attempt = useAttempt()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const send = async ({ operation }: Action, body?: object) => {
    setBusy(true)
    await attempt(async () => {
      const path = fill(operation.path, ids)
      const response = await http.send({ base, method: 'POST', path, ...(body && { body }) })
      const { isDelivered, httpStatus, durationMs, error } = deliveryFrom(isObject(response.body) ? response.body : {})
      const { delivered, notDelivered } = text().webhook
      // The status of the webhook may have changed, and its log has a new line.
      await queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === noun || first === 'delivery' })
      notify(
        isDelivered
          ? { text: delivered(httpStatus, durationMs ?? 0) }
          : { text: notDelivered(error ?? text().webhook.noResponse), tone: 'error' },
      )
    })
    setBusy(false)
  }
  return { send, isBusy }
}
