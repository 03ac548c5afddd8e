/** Asks for the name of a saved view. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { text } from '../language/language.ts'
import { Dialog } from '../view/dialog.tsx'

interface NameDialogProps {
  readonly title: string
  readonly initial: string
  onSave(name: string): void
  onClose(): void
}

export default function NameDialog({ title, initial, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(name.trim())
    onClose()
  }
  return (
    <Dialog title={title} size="sm" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={text().view.name}
            description={text().view.savedNote}
            maxLength={80}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text().common.cancel}
            </Button>
            <Button type="submit" disabled={name.trim() === ''}>
              {text().view.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
