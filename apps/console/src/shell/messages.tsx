/** Short messages at the edge of the page: what was done, and what can be done about it. */
import { Affix, Button, Notification, Stack } from '@mantine/core'
import { useEffect } from 'react'
import type { Message } from '../wire/console-context.ts'

export interface Told extends Message {
  readonly id: number
}

/** Long enough to be read; one that offers something stays longer. */
const patience = { plain: 5000, withAction: 12_000 }

export function Messages({ told, onDrop }: { readonly told: readonly Told[]; onDrop(id: number): void }) {
  return (
    <Affix position={{ bottom: 16, right: 16 }} zIndex={400} className="messages">
      <Stack gap="xs" role="status" aria-live="polite">
        {told.map((one) => (
          <One key={one.id} told={one} onDrop={onDrop} />
        ))}
      </Stack>
    </Affix>
  )
}

function One({ told, onDrop }: { readonly told: Told; onDrop(id: number): void }) {
  const { id, text, tone, action } = told
  useEffect(() => {
    if (tone === 'bad') return
    const timer = setTimeout(() => onDrop(id), action ? patience.withAction : patience.plain)
    return () => clearTimeout(timer)
  }, [id, tone, action, onDrop])
  return (
    <Notification
      color={tone === 'bad' ? 'red' : 'teal'}
      withBorder
      onClose={() => onDrop(id)}
      closeButtonProps={{ 'aria-label': 'Close this message' }}
    >
      {text}
      {action && (
        <Button
          size="compact-xs"
          variant="light"
          ml="sm"
          onClick={() => {
            onDrop(id)
            action.run()
          }}
        >
          {action.title}
        </Button>
      )}
    </Notification>
  )
}
