/** A dialog that returns the focus when it closes. */
import { Modal, type ModalProps } from '@mantine/core'
import { text } from '../../language/language.ts'
import { FocusReturn } from './focus-return.tsx'

export function Dialog({ children, ...rest }: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  return (
    <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': text().common.close }} {...rest}>
      <FocusReturn />
      {children}
    </Modal>
  )
}
