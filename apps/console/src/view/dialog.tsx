/** A dialog, there as long as it is open; then the focus is where it was before. */
import { Modal, type ModalProps } from '@mantine/core'
import { FocusReturn } from './focus-return.tsx'

export function Dialog({ children, ...rest }: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  return (
    <Modal opened returnFocus={false} {...rest}>
      <FocusReturn />
      {children}
    </Modal>
  )
}
