/** Shows why a webhook sends no events, and resumes it. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type LoadedRecord, useInvalidate } from '../http/queries.ts'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { recordPath } from '../model/route.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { useAttempt } from '../state/use-attempt.ts'

interface WebhookStatusProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly loaded: LoadedRecord
}

export default function WebhookStatus({ collection, ids, loaded: { record, etag } }: WebhookStatusProps) {
  const { http, notify } = useConsole()
  const attempt = useAttempt()
  const invalidate = useInvalidate()
  const refusalOf = useRefusal()
  const [isBusy, setBusy] = useState(false)
  const { status, reason } = record
  const { update } = collection.operations
  if (status === 'ACTIVE' || typeof status !== 'string') return null
  const resume = async () => {
    setBusy(true)
    await attempt(async () => {
      const path = recordPath(collection, ids)
      const headers = etag === undefined ? {} : { 'if-match': etag }
      await http.send({ base: collection.api.base, method: 'PATCH', path, body: { status: 'ACTIVE' }, headers })
      await invalidate(collection)
      notify({ text: text().webhook.resumed })
    })
    setBusy(false)
  }
  return (
    <Alert
      color={status === 'PAUSED' ? 'gray' : 'red'}
      variant="light"
      title={status === 'PAUSED' ? text().webhook.paused : text().webhook.stopped}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{typeof reason === 'string' ? reason : text().webhook.pausedNote}</Text>
        {update && (
          <Button
            size="xs"
            variant="default"
            loading={isBusy}
            {...disabledFor(refusalOf(collection.api, update))}
            onClick={resume}
          >
            {text().webhook.resume}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
