/** The deliveries of a webhook: each request with its outcome, and the ways to send events again. */
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { format, text } from '../language/language.ts'
import { FilterBar } from '../list/filter/filter-bar.tsx'
import { PageControls } from '../list/page-controls.tsx'
import { RefreshButton } from '../list/refresh-button.tsx'
import { fill } from '../model/address.ts'
import { addressOf } from '../model/list/query.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { deliveryFrom, webhookAction } from '../model/webhook.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useList } from '../wire/data.ts'
import { pageQuery } from '../wire/preference.ts'
import { type NavigateOptions, router, useAddress } from '../wire/router.ts'
import { disabledFor, useRefusal } from '../wire/use-refusal.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { useSend } from './use-send.ts'

interface DeliveryViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
}

export default function DeliveryView({ collection, variant, ids }: DeliveryViewProps) {
  const { query } = useAddress()
  const [opened, setOpened] = useState<string>()
  const list = useList({ collection, variant, ids, query: pageQuery(variant, query) })
  const webhook = collection.parent as Collection
  const refusalOf = useRefusal()
  const test = webhookAction(webhook, 'test')
  const redelivery = webhookAction(webhook, 'redelivery')
  const { send, isBusy } = useSend(webhook, ids)
  const go = (next: URLSearchParams, options?: NavigateOptions) =>
    router.go(addressOf(fill(variant.path, ids), next), options)
  const { records, pageInfo } = list.data ?? {}
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h5">
            {collection.plural}
          </Title>
          {pageInfo && (
            <Text c="dimmed" size="sm" aria-live="polite">
              {format().number(pageInfo.numberOfRecords)}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <RefreshButton list={list} />
          {test && (
            <Button
              size="xs"
              leftSection={<Icon name="run" size={14} />}
              loading={isBusy}
              {...disabledFor(refusalOf(webhook.api, test.operation))}
              onClick={() => send(test)}
            >
              {text().webhook.sendTest}
            </Button>
          )}
        </Group>
      </Group>
      <FilterBar
        collection={collection}
        variant={variant}
        query={query}
        opened={opened}
        onOpened={setOpened}
        onChange={go}
      />
      {list.error && !list.isFetching ? (
        <ProblemAlert error={list.error} onRetry={() => list.refetch()} />
      ) : !records ? (
        <Skeleton height={160} />
      ) : records.length === 0 ? (
        <Text size="sm">{text().webhook.noDeliveries}</Text>
      ) : (
        <DeliveryTable
          collection={collection}
          deliveries={records.map(deliveryFrom)}
          refusal={redelivery && refusalOf(webhook.api, redelivery.operation)}
          onResend={redelivery && ((change) => send(redelivery, { change }))}
        />
      )}
      {pageInfo && (
        <PageControls
          collection={collection}
          pageInfo={pageInfo}
          pageSize={variant.pageSize}
          query={query}
          onChange={go}
        />
      )}
    </Stack>
  )
}
