/** Asks before unsaved changes are lost. */
import { Button, Group, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { router, usePending } from '../state/router.ts'
import { Dialog } from '../view/dialog/dialog.tsx'

export default function LeaveDialog() {
  if (!usePending()) return null
  return (
    <Dialog onClose={() => router.resolvePending(false)} title={text().shell.leaveTitle} size="sm">
      <Text size="sm" mb="md">
        {text().shell.leaveNote}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => router.resolvePending(false)} data-autofocus>
          {text().shell.stay}
        </Button>
        <Button color="red.9" onClick={() => router.resolvePending(true)}>
          {text().shell.leave}
        </Button>
      </Group>
    </Dialog>
  )
}
