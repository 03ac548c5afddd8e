/** Sends a recorded request again, as it was or with changes. A write is sent only after a confirmation. */
import { Button, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Exchange, Request } from '../http/http-client.ts'
import { useInvalidateAll } from '../http/queries.ts'
import { text } from '../language/language.ts'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { DialogButtons } from '../view/dialog/dialog-buttons.tsx'
import { EditDialog, type RequestChange } from './edit-dialog.tsx'

interface ResendButtonProps {
  readonly exchange: Exchange
  onResent(): void
}

/** Headers that the client adds to every request. */
const ownHeaders = /^(accept|authorization|content-type)$/i

export function ResendButton({ exchange, onResent }: ResendButtonProps) {
  const { http } = useConsole()
  const invalidate = useInvalidateAll()
  const [isBusy, setBusy] = useState(false)
  const [dialog, setDialog] = useState<'confirm' | 'edit'>()
  const { base, method, path, query } = exchange
  const isRead = method === 'GET'
  const send = async ({ path, query, body }: RequestChange) => {
    setDialog(undefined)
    setBusy(true)
    const headers = Object.fromEntries(Object.entries(exchange.headers).filter(([name]) => !ownHeaders.test(name)))
    // The panel shows the response, also that of a failure.
    await http.send({ base, method: method as Request['method'], path, query, body, headers }).catch(() => {})
    setBusy(false)
    onResent()
    if (!isRead) await invalidate()
  }
  const close = () => setDialog(undefined)
  const { edit, resend, resendTitle, resendWarning } = text().request
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setDialog('edit')}>
        {edit} …
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        loading={isBusy}
        onClick={() => (isRead ? send(exchange) : setDialog('confirm'))}
      >
        {isRead ? resend : `${resend} …`}
      </Button>
      {dialog === 'edit' && <EditDialog exchange={exchange} onSend={send} onClose={close} />}
      {dialog === 'confirm' && (
        <Dialog title={resendTitle} onClose={close}>
          <Stack>
            <Code block>{`${method} ${path}${query && `?${query}`}`}</Code>
            <Text size="sm">{resendWarning}</Text>
            <DialogButtons onClose={close} isCancelFocused>
              <Button onClick={() => send(exchange)}>{resend}</Button>
            </DialogButtons>
          </Stack>
        </Dialog>
      )}
    </>
  )
}
