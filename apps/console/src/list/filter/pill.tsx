/** A filter or a sort as a pill: a click opens its editor, and a button removes it. */
import { Button, CloseButton, Popover } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { FocusReturn } from '../../view/dialog/focus-return.tsx'

interface PillProps<Props extends object> {
  readonly isSet: boolean
  readonly clearLabel: string
  readonly children: ReactNode
  readonly isOpen?: boolean
  onOpen?(isOpen: boolean): void
  onClear(): void
  /** Loads the editor; without one, the pill can only be removed. */
  readonly load?: () => Promise<{ readonly default: ComponentType<Props> }>
  readonly editorProps?: Props
}

export function Pill<Props extends object>(props: PillProps<Props>) {
  const { isSet, clearLabel, children, isOpen = false, onOpen, onClear, load, editorProps } = props
  const [Editor] = useState(() => load && lazy<ComponentType<object>>(load as () => Promise<never>))
  const buttonProps = { size: 'xs', variant: isSet ? 'light' : 'default', className: 'filter-pill' } as const
  const clear = isSet && (
    <CloseButton
      size={30}
      iconSize={14}
      className="filter-clear"
      aria-label={clearLabel}
      onClick={() => {
        onOpen?.(false)
        onClear()
      }}
    />
  )
  if (!Editor)
    return (
      <Button.Group>
        <Button.GroupSection size="xs" variant="light" className="filter-pill">
          {children}
        </Button.GroupSection>
        {clear}
      </Button.Group>
    )
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => onOpen?.(next)}
      position="bottom-start"
      shadow="md"
      width={300}
      trapFocus
    >
      <Popover.Target>
        <Button.Group>
          <Button
            {...buttonProps}
            aria-expanded={isOpen}
            onPointerEnter={load}
            onFocus={load}
            onClick={() => onOpen?.(!isOpen)}
          >
            {children}
          </Button>
          {clear}
        </Button.Group>
      </Popover.Target>
      <Popover.Dropdown>
        <FocusReturn />
        <Suspense>
          <Editor {...editorProps} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
