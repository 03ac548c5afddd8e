/** Every request that the page has made, as curl and as a call of the typed client: the console teaches the api. */
import {
  ActionIcon,
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
import { clientCallOf, curlOf } from '../model/request-text.ts'
import { FocusReturn } from '../view/focus-return.tsx'
import { Icon } from '../view/icon.tsx'
import { useConsole } from '../wire/console-context.ts'
import type { Exchange } from '../wire/wire.ts'

export default function RequestPanel({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  const { wire } = useConsole()
  const exchanges = useSyncExternalStore(wire.subscribe, wire.exchanges)
  const [chosen, setChosen] = useState<number>()
  const shown = exchanges.find(({ id }) => id === chosen) ?? exchanges[0]
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title="Requests"
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      shadow="md"
      closeButtonProps={{ 'aria-label': 'Close the requests' }}
    >
      <FocusReturn isTaken />
      <Stack gap="sm">
        {shown ? <One exchange={shown} /> : <Text size="sm">Nothing has been asked yet.</Text>}
        <Group justify="space-between">
          <Text size="xs" c="dimmed" fw={600}>
            Made so far, the newest first
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={wire.forget}>
            Forget them
          </Button>
        </Group>
        <ul className="exchanges">
          {exchanges.map((one) => (
            <li key={one.id}>
              <UnstyledButton className="exchange" aria-pressed={one === shown} onClick={() => setChosen(one.id)}>
                <span className="method">{one.method}</span>
                <span className="target">
                  {one.path}
                  {one.query && `?${one.query}`}
                </span>
                <Status exchange={one} />
                <span className="duration">{Math.round(one.duration)} ms</span>
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
      {status === 0 ? 'none' : status}
    </Badge>
  )
}

function One({ exchange }: { readonly exchange: Exchange }) {
  const { service } = useConsole()
  const call = clientCallOf(service, exchange)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Status exchange={exchange} />
        <Text size="sm">{exchange.statusText}</Text>
        <Text size="sm" c="dimmed">
          {exchange.duration.toFixed(1)} ms
        </Text>
      </Group>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          {call !== undefined && <Tabs.Tab value="client">Typed client</Tabs.Tab>}
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
          <Tabs.Tab value="answer">Answer</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="xs">
          <Copied text={curlOf(exchange)} name="curl line" />
        </Tabs.Panel>
        {call !== undefined && (
          <Tabs.Panel value="client" pt="xs">
            <Copied text={call} name="client call" />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="headers" pt="xs">
          <Headers title="Sent" headers={exchange.headers} />
          <Headers title="Answered" headers={exchange.answerHeaders} />
        </Tabs.Panel>
        <Tabs.Panel value="answer" pt="xs">
          <Copied text={JSON.stringify(exchange.answerBody, null, 2) ?? ''} name="answer" />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function Copied({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div className="copied">
      <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': name, role: 'group' }}>
        <Code block>{text}</Code>
      </ScrollArea.Autosize>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            className="copy"
            variant="default"
            size="sm"
            aria-label={copied ? 'Copied' : `Copy the ${name}`}
            onClick={copy}
          >
            <Icon sign={copied ? 'check' : 'copy'} size={14} />
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
