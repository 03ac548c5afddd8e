/** The buttons at the end of a dialog: Cancel, and the ones that do something. */
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../../language/language.ts'

interface DialogButtonsProps {
  /** Cancel receives the focus when the dialog opens. */
  readonly isCancelFocused?: boolean
  readonly children: ReactNode
  onClose(): void
}

export function DialogButtons({ isCancelFocused = false, children, onClose }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose} data-autofocus={isCancelFocused || undefined}>
        {text().common.cancel}
      </Button>
      {children}
    </Group>
  )
}
