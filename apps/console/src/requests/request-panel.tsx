/** The requests of the page, as curl commands and as calls of the typed client: beside the page, or above it on narrow screens. */
import { AppShell, CloseButton, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { type KeyboardEvent, useState, useSyncExternalStore } from 'react'
import { text } from '../language/language.ts'
import { matchesFilter, type RequestFilter } from '../model/request-filter.ts'
import { useConsole } from '../state/console-context.ts'
import { FocusReturn } from '../view/dialog/focus-return.tsx'
import { ExchangeDetails } from './exchange-details.tsx'
import { RequestList } from './request-list.tsx'

interface RequestPanelProps {
  readonly isOpen: boolean
  /** The page has room for the panel. */
  readonly isBeside: boolean
  onClose(): void
}

export default function RequestPanel({ isOpen, isBeside, onClose }: RequestPanelProps) {
  const { requests, closeRequests } = text().request
  if (!isBeside) {
    return (
      <Drawer
        opened={isOpen}
        onClose={onClose}
        position="right"
        size="lg"
        title={requests}
        withOverlay={false}
        lockScroll={false}
        trapFocus={false}
        closeOnClickOutside={false}
        shadow="md"
        closeButtonProps={{ 'aria-label': closeRequests }}
      >
        <FocusReturn movesFocus />
        <Requests />
      </Drawer>
    )
  }
  const close = (event: KeyboardEvent<HTMLElement>) => {
    // A dialog or dropdown of the panel closes first.
    const target = event.target as Element
    const isTaken = target.getAttribute('data-mantine-stop-propagation') === 'true'
    if (event.key === 'Escape' && event.currentTarget.contains(target) && !isTaken) onClose()
  }
  return isOpen ? (
    <AppShell.Aside p="md" className="request-panel" aria-label={requests} onKeyDown={close}>
      <FocusReturn movesFocus />
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {requests}
        </Title>
        <CloseButton aria-label={closeRequests} onClick={onClose} />
      </Group>
      <Requests />
    </AppShell.Aside>
  ) : null
}

function Requests() {
  const { http } = useConsole()
  const exchanges = useSyncExternalStore(http.subscribe, http.exchanges)
  const [filter, setFilter] = useState<RequestFilter>({ text: '' })
  const [selectedId, setSelectedId] = useState<number>()
  const matching = exchanges.filter((exchange) => matchesFilter(exchange, filter))
  const shown = matching.find(({ id }) => id === selectedId) ?? matching[0]
  return (
    <Stack gap="sm">
      {shown && <ExchangeDetails exchange={shown} onResent={() => setSelectedId(undefined)} />}
      {exchanges.length === 0 && <Text size="sm">{text().request.noRequests}</Text>}
      <RequestList
        all={exchanges}
        matching={matching}
        filter={filter}
        shown={shown}
        onFilter={setFilter}
        onSelect={setSelectedId}
      />
    </Stack>
  )
}
