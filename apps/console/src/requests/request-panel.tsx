/** The requests of the page, as curl commands and as calls of the typed client. */
import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Code,
  CopyButton,
  Drawer,
  Group,
  ScrollArea,
  Stack,
  Table,
  Tabs,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import type { Exchange } from '../http/http-client.ts'
import { text } from '../language/language.ts'
import { docsUrl } from '../model/docs-url.ts'
import { clientCallOf, curlOf } from '../model/request-text.ts'
import { useConsole } from '../state/console-context.ts'
import { FocusReturn } from '../view/focus-return.tsx'
import { Icon } from '../view/icon.tsx'

export default function RequestPanel({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  const { http } = useConsole()
  const exchanges = useSyncExternalStore(http.subscribe, http.exchanges)
  const [selectedId, setSelectedId] = useState<number>()
  const shown = exchanges.find(({ id }) => id === selectedId) ?? exchanges[0]
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={text().request.requests}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      shadow="md"
      closeButtonProps={{ 'aria-label': text().request.closeRequests }}
    >
      <FocusReturn movesFocus />
      <Stack gap="sm">
        {shown ? <ExchangeDetails exchange={shown} /> : <Text size="sm">{text().request.noRequests}</Text>}
        <Group justify="space-between">
          <Text size="xs" c="dimmed" fw={600}>
            {text().request.recent}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={http.clear}>
            {text().request.clear}
          </Button>
        </Group>
        <ul className="exchanges">
          {exchanges.map((exchange) => (
            <li key={exchange.id}>
              <UnstyledButton
                className="exchange"
                aria-pressed={exchange === shown}
                onClick={() => setSelectedId(exchange.id)}
              >
                <span className="method">{exchange.method}</span>
                <span className="target">
                  {exchange.path}
                  {exchange.query && `?${exchange.query}`}
                </span>
                <Status exchange={exchange} />
                <span className="duration">{text().request.milliseconds(Math.round(exchange.duration))}</span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </Stack>
    </Drawer>
  )
}

function Status({ exchange: { status } }: { readonly exchange: Exchange }) {
  const colour = status === 0 || status >= 400 ? 'red' : status >= 300 ? 'yellow' : 'teal'
  return (
    <Badge variant="light" radius="sm" size="sm" color={colour}>
      {status === 0 ? text().request.noStatus : status}
    </Badge>
  )
}

function ExchangeDetails({ exchange }: { readonly exchange: Exchange }) {
  const { service, docs } = useConsole()
  const call = clientCallOf(service, exchange)
  const page = docs === undefined ? undefined : docsUrl(docs, service, exchange)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Status exchange={exchange} />
        <Text size="sm">{exchange.statusText}</Text>
        <Text size="sm" c="dimmed">
          {text().request.milliseconds(Math.round(exchange.duration * 10) / 10)}
        </Text>
        {page !== undefined && (
          <Anchor href={page} size="sm" ml="auto">
            {text().shell.docs}
          </Anchor>
        )}
      </Group>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="curl">{text().request.curl}</Tabs.Tab>
          {call !== undefined && <Tabs.Tab value="client">{text().request.client}</Tabs.Tab>}
          <Tabs.Tab value="headers">{text().request.headers}</Tabs.Tab>
          <Tabs.Tab value="response">{text().request.response}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="xs">
          <CopyableCode content={curlOf(exchange)} name={text().request.curlCommand} />
        </Tabs.Panel>
        {call !== undefined && (
          <Tabs.Panel value="client" pt="xs">
            <CopyableCode content={call} name={text().request.clientCall} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="headers" pt="xs">
          <Headers title={text().request.request} headers={exchange.headers} />
          <Headers title={text().request.response} headers={exchange.responseHeaders} />
        </Tabs.Panel>
        <Tabs.Panel value="response" pt="xs">
          <CopyableCode
            content={JSON.stringify(exchange.responseBody, null, 2) ?? ''}
            name={text().request.responseBody}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function CopyableCode({ content, name }: { readonly content: string; readonly name: string }) {
  return (
    <div className="copied">
      <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': name, role: 'group' }}>
        <Code block>{content}</Code>
      </ScrollArea.Autosize>
      <CopyButton value={content}>
        {({ copied, copy }) => (
          <ActionIcon
            className="copy"
            variant="default"
            size="sm"
            aria-label={copied ? text().request.copied : text().request.copy(name)}
            onClick={copy}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  )
}

function Headers({
  title,
  headers,
}: {
  readonly title: string
  readonly headers: { readonly [name: string]: string }
}) {
  return (
    <Table verticalSpacing={3} fz="xs" mb="xs" layout="fixed">
      <Table.Caption className="headers-title">{title}</Table.Caption>
      <Table.Tbody>
        {Object.entries(headers).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={500}>
              {name}
            </Table.Th>
            <Table.Td className="header-value">{/^authorization$/i.test(name) ? 'Bearer …' : value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
