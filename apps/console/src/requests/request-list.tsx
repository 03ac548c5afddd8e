/** The recorded requests, the newest first, with filters. */
import { Button, Group, Select, Text, TextInput, UnstyledButton } from '@mantine/core'
import type { Exchange } from '../http/http-client.ts'
import { text } from '../language/language.ts'
import { noStatus, type RequestFilter, statusClass } from '../model/request-filter.ts'
import { useConsole } from '../state/console-context.ts'
import { StatusBadge } from './status-badge.tsx'

interface RequestListProps {
  /** All recorded requests, and those that match the filter. */
  readonly all: readonly Exchange[]
  readonly matching: readonly Exchange[]
  readonly filter: RequestFilter
  readonly shown: Exchange | undefined
  onFilter(filter: RequestFilter): void
  onSelect(id: number): void
}

export function RequestList({ all, matching, filter, shown, onFilter, onSelect }: RequestListProps) {
  const { http } = useConsole()
  const messages = text().request
  const choice = (name: 'method' | 'statusClass', label: string, values: readonly string[]) => (
    <Select
      size="xs"
      w={104}
      aria-label={label}
      placeholder={label}
      clearable
      data={[...new Set([...values, ...(filter[name] ? [filter[name]] : [])])]
        .toSorted()
        .map((value) => ({ value, label: value === noStatus ? messages.noStatus : value }))}
      value={filter[name] ?? null}
      onChange={(value) => onFilter({ ...filter, [name]: value ?? undefined })}
    />
  )
  return (
    <>
      <Group justify="space-between">
        <Text size="xs" c="dimmed" fw={600}>
          {messages.recent}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={http.clear}>
          {messages.clear}
        </Button>
      </Group>
      <Group gap="xs">
        <TextInput
          size="xs"
          className="request-search"
          aria-label={messages.filter}
          placeholder={messages.filter}
          value={filter.text}
          onChange={({ currentTarget: { value } }) => onFilter({ ...filter, text: value })}
        />
        {choice(
          'method',
          messages.method,
          all.map(({ method }) => method),
        )}
        {choice('statusClass', messages.status, all.map(statusClass))}
      </Group>
      {matching.length === 0 && all.length > 0 && <Text size="sm">{messages.noMatch}</Text>}
      <ul className="exchanges">
        {matching.map((exchange) => (
          <li key={exchange.id}>
            <UnstyledButton
              className="exchange"
              aria-pressed={exchange === shown}
              onClick={() => onSelect(exchange.id)}
            >
              <span className="method">{exchange.method}</span>
              <span className="target">
                {exchange.path}
                {exchange.query && `?${exchange.query}`}
              </span>
              <StatusBadge status={exchange.status} />
              <span className="duration">{messages.milliseconds(Math.round(exchange.durationMs))}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  )
}
