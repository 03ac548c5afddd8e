/** One record: its form, and its children as tabs. */
import { Button, Group, Skeleton, Stack, Tabs, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { ActionButtons } from '../action/action-buttons.tsx'
import { text } from '../language/language.ts'
import { ListView } from '../list/list-view.tsx'
import { copyPath, fill, recordPath } from '../model/address.ts'
import { isHistory } from '../model/history/history.ts'
import { problemOf } from '../model/service/problem.ts'
import { linkCollectionOf, recordActions, writeCollectionOf } from '../model/service/relation.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { isDeliveryLog, isWebhook } from '../model/webhook.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useRecord } from '../wire/data.ts'
import { router } from '../wire/router.ts'
import { disabledFor, useRefusal } from '../wire/use-refusal.ts'
import { DeleteDialog } from './delete/delete-dialog.tsx'
import { RecordDetails } from './record-details.tsx'
import { useRecordTitle } from './use-record-title.ts'

const DeletedRecord = lazy(() => import('../history/deleted-record.tsx'))
const DeliveryView = lazy(() => import('../webhook/delivery-view.tsx'))
const WebhookStatus = lazy(() => import('../webhook/webhook-status.tsx'))
const HistoryView = lazy(() => import('../history/history-view.tsx'))

/** The value of the details tab. No collection starts with a tilde. */
const details = '~details'

interface RecordViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** The child list to show (default: the form). */
  readonly child?: { readonly collection: Collection; readonly variant: Variant }
}

export function RecordView({ collection, ids, child }: RecordViewProps) {
  const query = useRecord(collection, ids)
  const title = useRecordTitle(collection, query.data?.record)
  const [isDeleting, setDeleting] = useState(false)
  const refusalOf = useRefusal()
  const writeCollection = writeCollectionOf(collection)
  const children = collection.children.filter(({ variants }) => variants.length > 0)
  const path = recordPath(collection, ids)
  const retry = () => query.refetch()
  // Unsaved input stays visible, even if the record is gone.
  if (query.error && problemOf(query.error).status === 404 && !router.isGuarded())
    return <DeletedRecord collection={collection} ids={ids} error={query.error} />
  if (query.error && !query.data) return <ProblemAlert error={query.error} onRetry={retry} />
  // A linked record has its own path. Here the user can only remove the link, so Duplicate and Delete are hidden.
  const isLink = linkCollectionOf(collection) !== undefined
  const writeIds = writeCollection === collection ? ids : ids.slice(-1)
  return (
    <Stack gap="md" className={child ? undefined : 'record'}>
      <Group justify="space-between" gap="xs">
        {title === undefined ? (
          <Skeleton height={24} width={240} />
        ) : (
          <Title order={1} size="h3">
            {title}
          </Title>
        )}
        {!child && (
          <Group gap="xs">
            <ActionButtons
              actions={recordActions(collection).map(({ owner, action }) => ({
                api: owner.api,
                action,
                ids: owner === collection ? ids : ids.slice(-1),
                subject: title,
                etag: owner === collection ? query.data?.etag : undefined,
              }))}
            />
            {writeCollection.operations.create && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="copy" size={14} />}
                {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.create))}
                onClick={() => router.go(copyPath(collection, ids))}
              >
                {text().record.duplicate}
              </Button>
            )}
            {writeCollection.operations.delete && !isLink && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="trash" size={14} />}
                {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.delete))}
                onClick={() => setDeleting(true)}
              >
                {text().common.deleteMenu}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {isWebhook(collection) && query.data && (
        <Suspense>
          <WebhookStatus collection={collection} ids={ids} loaded={query.data} />
        </Suspense>
      )}
      {children.length > 0 && (
        <Tabs
          value={child?.collection.segment ?? details}
          onChange={(next) => router.go(next === details ? path : `${path}/${next}`)}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value={details}>{text().common.details}</Tabs.Tab>
            {children.map((tab) => (
              <Tabs.Tab key={tab.key} value={tab.segment}>
                {isHistory(tab) ? text().history.title : tab.plural}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={child?.collection.segment ?? details} pt="md">
            {child && isDeliveryLog(child.collection) ? (
              <DeliveryView collection={child.collection} variant={child.variant} ids={ids} />
            ) : child && isHistory(child.collection) ? (
              <HistoryView collection={child.collection} variant={child.variant} ids={ids} />
            ) : child ? (
              <ListView collection={child.collection} variant={child.variant} ids={ids} isNested />
            ) : (
              <RecordDetails collection={collection} writeCollection={writeCollection} ids={ids} loaded={query.data} />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {children.length === 0 && (
        <RecordDetails collection={collection} writeCollection={writeCollection} ids={ids} loaded={query.data} />
      )}
      {isDeleting && (
        <DeleteDialog
          writeCollection={writeCollection}
          ids={writeIds}
          onClose={() => setDeleting(false)}
          onDeleted={() => router.go(fill(collection.path, ids.slice(0, -1)), { replaceHistory: true })}
        />
      )}
    </Stack>
  )
}
