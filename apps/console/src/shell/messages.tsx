/** Short messages at the edge of the page, some with an action. */
import { Affix, Button, Notification, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import type { Message } from '../state/console-context.ts'
import { type FocusPosition, focusAt, focusInto, positionOf } from '../view/dialog/focus.ts'

export interface ShownMessage extends Message {
  readonly id: number
}

/** The time that a message stays. Messages with an action stay longer, and errors until they are closed. */
const durationsMs = { plain: 8000, withAction: 20_000 }

interface MessagesProps {
  readonly messages: readonly ShownMessage[]
  onDrop(id: number): void
}

export function Messages({ messages, onDrop }: MessagesProps) {
  const container = useRef<HTMLDivElement>(null)
  const before = useRef<FocusPosition>(undefined)
  const [isPaused, setPaused] = useState(false)
  useHotkeys([['F8', () => container.current && focusInto(container.current)]], [])
  const enter = ({ relatedTarget }: FocusEvent) => {
    setPaused(true)
    if (!container.current?.contains(relatedTarget)) before.current = positionOf(relatedTarget)
  }
  const drop = (id: number) => {
    // The focus stays among the messages; after the last one it returns to where it was.
    const isInside = container.current?.contains(document.activeElement) === true
    if (isInside && messages.length === 1) focusAt(before.current)
    onDrop(id)
  }
  return (
    <Affix position={{ top: 4, left: '50%' }} zIndex={400} className="messages">
      <section
        ref={container}
        aria-label={text().shell.messages}
        onFocus={enter}
        onBlur={() => setPaused(false)}
        onMouseEnter={() => setPaused(true)}
        onMouseLeave={() => setPaused(false)}
      >
        <Stack gap="xs" role="status" aria-live="polite">
          {messages.map((message) => (
            <MessageBox key={message.id} message={message} isPaused={isPaused} onDrop={drop} />
          ))}
        </Stack>
      </section>
    </Affix>
  )
}

interface MessageBoxProps {
  readonly message: ShownMessage
  /** No message disappears while it has the pointer or the focus. */
  readonly isPaused: boolean
  onDrop(id: number): void
}

function MessageBox({ message, isPaused, onDrop }: MessageBoxProps) {
  const { id, tone, action } = message
  const go = useRef(onDrop)
  useEffect(() => {
    go.current = onDrop
  })
  useEffect(() => {
    if (tone === 'error' || isPaused) return
    const timer = setTimeout(() => go.current(id), action ? durationsMs.withAction : durationsMs.plain)
    return () => clearTimeout(timer)
  }, [id, tone, action, isPaused])
  return (
    <Notification
      color={tone === 'error' ? 'red' : 'teal'}
      withBorder
      onClose={() => onDrop(id)}
      closeButtonProps={{ 'aria-label': text().shell.closeMessage }}
    >
      {message.text}
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
