/** One request with its response: as a curl command, as a call of the typed client, with headers and body. */
import { ActionIcon, Anchor, Code, CopyButton, Group, ScrollArea, Stack, Table, Tabs, Text } from '@mantine/core'
import type { Exchange } from '../http/http-client.ts'
import { text } from '../language/language.ts'
import { docsUrl } from '../model/docs-url.ts'
import { clientCallOf, curlOf } from '../model/request-text.ts'
import { useConsole } from '../state/console-context.ts'
import { Icon } from '../view/icon.tsx'
import { ResendButton } from './resend-button.tsx'
import { StatusBadge } from './status-badge.tsx'

interface ExchangeDetailsProps {
  readonly exchange: Exchange
  /** Shows the response of the repeated request. */
  onResent(): void
}

export function ExchangeDetails({ exchange, onResent }: ExchangeDetailsProps) {
  const { service, docs } = useConsole()
  const call = clientCallOf(service, exchange)
  const page = docs === undefined ? undefined : docsUrl(docs, service, exchange)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StatusBadge status={exchange.status} />
        <Text size="sm">{exchange.statusText}</Text>
        <Text size="sm" c="dimmed">
          {text().request.milliseconds(Math.round(exchange.durationMs * 10) / 10)}
        </Text>
        <Group gap="xs" ml="auto">
          {page !== undefined && (
            <Anchor href={page} size="sm">
              {text().shell.docs}
            </Anchor>
          )}
          <ResendButton exchange={exchange} onResent={onResent} />
        </Group>
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
