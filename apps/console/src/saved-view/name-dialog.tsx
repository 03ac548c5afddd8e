/** Asks for the name of a saved view, and whether it is shared. */
import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DialogButtons } from '../view/dialog/dialog-buttons.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'

interface NameDialogProps {
  readonly title: string
  readonly initial: string
  /** Undefined if the view cannot be shared here. */
  readonly sharing: { readonly refusal: string | undefined } | undefined
  onSave(name: string, isShared: boolean): Promise<void>
  onClose(): void
}

export default function NameDialog({ title, initial, sharing, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial)
  const [isShared, setShared] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await onSave(name.trim(), isShared)
      onClose()
    } catch (saveError) {
      setError(saveError)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} size="sm" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && <ProblemAlert error={error} />}
          <TextInput
            label={text().view.name}
            description={text().view.savedNote}
            maxLength={80}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            data-autofocus
          />
          {sharing && (
            <Checkbox
              label={text().view.share}
              description={sharing.refusal ?? text().view.shareNote}
              checked={isShared}
              {...disabledFor(sharing.refusal)}
              onChange={({ currentTarget: { checked } }) => setShared(checked)}
            />
          )}
          <DialogButtons onClose={onClose}>
            <Button type="submit" disabled={name.trim() === ''} loading={isBusy}>
              {text().view.save}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
