/** Short messages at the edge of the page: what was done, and what can be done about it. */
import { Affix, Button, Notification, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { type FocusPlace, focusAt, focusInto, placeOf } from '../view/focus.ts'
import type { Message } from '../wire/console-context.ts'

export interface Told extends Message {
  readonly id: number
}

/** Long enough to be read, in milliseconds; one that offers something stays longer, and one that is bad until it is closed. */
const patience = { plain: 8000, withAction: 20_000 }

export function Messages({ told, onDrop }: { readonly told: readonly Told[]; onDrop(id: number): void }) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<FocusPlace>(undefined)
  const [isHeld, setHeld] = useState(false)
  useHotkeys([['F8', () => box.current && focusInto(box.current)]], [])
  const enter = ({ relatedTarget }: FocusEvent) => {
    setHeld(true)
    if (!box.current?.contains(relatedTarget)) before.current = placeOf(relatedTarget)
  }
  const drop = (id: number) => {
    // The rest keep the focus among them; the last one gives it back to where it came from.
    const isInside = box.current?.contains(document.activeElement) === true
    if (isInside && told.length === 1) focusAt(before.current)
    onDrop(id)
  }
  return (
    <Affix position={{ bottom: 16, right: 16 }} zIndex={400} className="messages">
      <section
        ref={box}
        aria-label="Messages"
        onFocus={enter}
        onBlur={() => setHeld(false)}
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
      >
        <Stack gap="xs" role="status" aria-live="polite">
          {told.map((one) => (
            <One key={one.id} told={one} isHeld={isHeld} onDrop={drop} />
          ))}
        </Stack>
      </section>
    </Affix>
  )
}

interface OneProps {
  readonly told: Told
  /** Someone is at the messages: none of them goes meanwhile. */
  readonly isHeld: boolean
  onDrop(id: number): void
}

function One({ told, isHeld, onDrop }: OneProps) {
  const { id, text, tone, action } = told
  const go = useRef(onDrop)
  useEffect(() => {
    go.current = onDrop
  })
  useEffect(() => {
    if (tone === 'bad' || isHeld) return
    const timer = setTimeout(() => go.current(id), action ? patience.withAction : patience.plain)
    return () => clearTimeout(timer)
  }, [id, tone, action, isHeld])
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
