/** One record: its form, and its children as tabs. */
import { Button, Group, Skeleton, Stack, Tabs } from '@mantine/core'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { ActionButtons } from '../action/action-buttons.tsx'
import { useRecord } from '../http/queries.ts'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { ListView } from '../list/list-view.tsx'
import { isHistory } from '../model/history/history.ts'
import { addressOf, listParameter } from '../model/list/query.ts'
import { plainTitle } from '../model/record/label.ts'
import { referenceParameter, referencePath } from '../model/record/reference-path.ts'
import { relatedLists } from '../model/record/related.ts'
import { copyPath, fill, recordPath } from '../model/route.ts'
import { problemOf } from '../model/service/problem.ts'
import { linkCollectionOf, recordActions, writeCollectionOf } from '../model/service/relation.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { isDeliveryLog, isWebhook } from '../model/webhook.ts'
import { useConsole } from '../state/console-context.ts'
import { router, useAddress } from '../state/router.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { DeleteDialog } from './delete/delete-dialog.tsx'
import { RecordDetails } from './record-details.tsx'
import { RecordHeading } from './record-heading.tsx'
import { Count } from './related/related-links.tsx'
import { useRelatedCounts } from './related/use-related-counts.ts'
import { useRecordTitle } from './use-record-title.ts'

const DeletedRecord = lazy(() => import('../history/deleted-record.tsx'))
const DeliveryView = lazy(() => import('../webhook/delivery-view.tsx'))
const WebhookStatus = lazy(() => import('../webhook/webhook-status.tsx'))
const HistoryView = lazy(() => import('../history/history-view.tsx'))

const RelatedList = lazy(() => import('./related/related-list.tsx'))

/** The value of the details tab. No collection starts with a tilde. */
const details = '~details'

interface RecordViewProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** The child list to show (default: the form). */
  readonly child?: { readonly collection: Collection; readonly variant: Variant }
}

export function RecordView({ collection, ids, child }: RecordViewProps) {
  const { service } = useConsole()
  const { query: address } = useAddress()
  // The breadcrumbs request the record as well.
  const query = useRecord(collection, ids, { isRepeated: false })
  const loadedTitle = useRecordTitle(collection, query.data?.record)
  // Some services read a record only in lists. Its children and its operations need only its ID.
  const isUnread = query.error !== null && collection.operations.read === undefined
  const title = loadedTitle ?? (isUnread ? plainTitle(collection, ids.at(-1)) : undefined)
  const [isDeleting, setDeleting] = useState(false)
  const refusalOf = useRefusal()
  const writeCollection = writeCollectionOf(collection)
  const path = recordPath(collection, ids)
  const lists = useMemo(() => relatedLists(service, collection), [service, collection])
  const counts = useRelatedCounts(lists, ids)
  const key = address.get(listParameter)
  const related = child ? undefined : lists.find((list) => list.parameter !== undefined && list.key === key)
  const tab = child?.collection.segment ?? related?.key ?? details
  const openTab = (next: string | null) => {
    const list = lists.find((candidate) => candidate.key === next)
    if (!list) router.go(path)
    else if (list.parameter === undefined) router.go(`${path}/${list.key}`)
    else router.go(addressOf(path, new URLSearchParams({ [listParameter]: list.key })))
  }
  const reference = address.get(referenceParameter)
  const loaded = query.data?.record
  useEffect(() => {
    const next = reference !== null && loaded ? referencePath(service, collection, loaded, reference) : undefined
    if (next !== undefined) router.go(next, { replaceHistory: true })
  }, [service, collection, loaded, reference])
  const retry = () => query.refetch()
  // Unsaved input stays visible, even if the record is gone.
  if (query.error && !isUnread && problemOf(query.error).status === 404 && !router.isGuarded())
    return <DeletedRecord collection={collection} ids={ids} error={query.error} />
  if (query.error && !isUnread && !query.data) return <ProblemAlert error={query.error} onRetry={retry} />
  // A linked record has its own path. Here the user can only remove the link, so Duplicate and Delete are hidden.
  const isLink = linkCollectionOf(collection) !== undefined
  const writeIds = writeCollection === collection ? ids : ids.slice(-1)
  return (
    <Stack gap="md" className="record">
      <Group justify="space-between" gap="xs">
        {title === undefined ? (
          <Skeleton height={24} width={240} />
        ) : (
          <RecordHeading collection={collection} ids={ids} title={title} record={loaded} />
        )}
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
      </Group>
      {isWebhook(collection) && query.data && (
        <Suspense>
          <WebhookStatus collection={collection} ids={ids} loaded={query.data} />
        </Suspense>
      )}
      {lists.length > 0 && (
        <Tabs value={tab} onChange={openTab} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value={details}>{text().common.details}</Tabs.Tab>
            {lists.map(({ key, title: listTitle }, index) => (
              <Tabs.Tab
                key={key}
                value={key}
                {...(counts[index] !== undefined && { rightSection: <Count value={counts[index]} /> })}
              >
                {listTitle}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab} pt="md">
            {child && isDeliveryLog(child.collection) ? (
              <DeliveryView collection={child.collection} variant={child.variant} ids={ids} />
            ) : child && isHistory(child.collection) ? (
              <HistoryView collection={child.collection} variant={child.variant} ids={ids} />
            ) : child ? (
              <ListView collection={child.collection} variant={child.variant} ids={ids} isNested />
            ) : related ? (
              <RelatedList related={related} id={`${ids.at(-1)}`} />
            ) : (
              <RecordDetails {...{ collection, writeCollection, ids }} loaded={query.data} error={query.error} />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {lists.length === 0 && (
        <RecordDetails {...{ collection, writeCollection, ids }} loaded={query.data} error={query.error} />
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
