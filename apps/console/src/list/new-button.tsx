/** The button that creates a record. On a phone it is a plus without text. */
import { Button } from '@mantine/core'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { Icon } from '../view/icon.tsx'

interface NewButtonProps {
  readonly noun: string
  /** The reason why the token does not allow to create records. */
  readonly refusal: string | undefined
  readonly onClick: () => void
}

export function NewButton({ noun, refusal, onClick }: NewButtonProps) {
  const title = text().list.newRecord(noun)
  return (
    <Button size="xs" className="new-button" {...disabledFor(refusal)} onClick={onClick}>
      <Icon name="add" size={14} />
      <span className="new-text">{title}</span>
    </Button>
  )
}
