/** The deliveries of a webhook: each request with its outcome, and buttons that send events again. */
import { Button, Text } from '@mantine/core'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { ListFrame } from '../list/list-frame.tsx'
import { useListPage } from '../list/use-list-page.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { deliveryFrom, webhookAction } from '../model/webhook.ts'
import { Icon } from '../view/icon.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { useSend } from './use-send.ts'

interface DeliveryViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
}

export default function DeliveryView({ collection, variant, ids }: DeliveryViewProps) {
  const page = useListPage(collection, variant, ids)
  const webhook = collection.parent as Collection
  const refusalOf = useRefusal()
  const test = webhookAction(webhook, 'test')
  const redelivery = webhookAction(webhook, 'redelivery')
  const { send, isBusy } = useSend(webhook, ids)
  const sendTest = test && (
    <Button
      size="xs"
      leftSection={<Icon name="run" size={14} />}
      loading={isBusy}
      {...disabledFor(refusalOf(webhook.api, test.operation))}
      onClick={() => send(test)}
    >
      {text().webhook.sendTest}
    </Button>
  )
  return (
    <ListFrame page={page} title={collection.plural} tools={{ after: sendTest }}>
      {(records) =>
        records.length === 0 ? (
          <Text size="sm">{text().webhook.noDeliveries}</Text>
        ) : (
          <DeliveryTable
            collection={collection}
            deliveries={records.map(deliveryFrom)}
            refusal={redelivery && refusalOf(webhook.api, redelivery.operation)}
            onResend={redelivery && ((change) => send(redelivery, { change }))}
          />
        )
      }
    </ListFrame>
  )
}
