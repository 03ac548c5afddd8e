/** Changes a recorded request before it is sent again. */
import { Button, JsonInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Exchange } from '../http/http-client.ts'
import { text } from '../language/language.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DialogButtons } from '../view/dialog/dialog-buttons.tsx'

export interface RequestChange {
  readonly path: string
  readonly query: string
  readonly body: unknown
}

interface EditDialogProps {
  readonly exchange: Exchange
  onSend(change: RequestChange): void
  onClose(): void
}

export function EditDialog({ exchange: { method, path, query, body }, onSend, onClose }: EditDialogProps) {
  const [address, setAddress] = useState(`${path}${query && `?${query}`}`)
  const [content, setContent] = useState(() => (body === undefined ? '' : JSON.stringify(body, null, 2)))
  const hasBody = body !== undefined
  const parsed = hasBody ? parse(content) : undefined
  const isValid = address.startsWith('/') && (!hasBody || parsed !== undefined)
  const send = () => {
    const at = address.indexOf('?')
    const change =
      at === -1 ? { path: address, query: '' } : { path: address.slice(0, at), query: address.slice(at + 1) }
    onSend({ ...change, body: parsed?.value })
  }
  const { editTitle, pathField, pathHint, body: bodyField, resend, resendWarning } = text().request
  return (
    <Dialog title={editTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) send()
        }}
      >
        <Stack>
          <TextInput
            label={`${method} ${pathField}`}
            value={address}
            error={!address.startsWith('/') && pathHint}
            onChange={({ currentTarget: { value } }) => setAddress(value)}
            data-autofocus
          />
          {hasBody && (
            <JsonInput
              label={bodyField}
              autosize
              minRows={4}
              maxRows={16}
              value={content}
              error={parsed === undefined && text().record.notJson}
              onChange={setContent}
            />
          )}
          {method !== 'GET' && <Text size="sm">{resendWarning}</Text>}
          <DialogButtons onClose={onClose}>
            <Button type="submit" disabled={!isValid}>
              {resend}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Undefined if the text is not valid JSON. */
function parse(content: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(content) }
  } catch {
    return undefined
  }
}
