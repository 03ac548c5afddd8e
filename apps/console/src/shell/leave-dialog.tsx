/** Asks before something that is not saved is left. */
import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '../view/dialog.tsx'
import { router, useWanted } from '../wire/router.ts'

export function LeaveDialog() {
  const wanted = useWanted()
  if (wanted === undefined) return null
  return (
    <Dialog onClose={() => router.decide(false)} title="Leave without saving?" size="sm">
      <Text size="sm" mb="md">
        What you changed here is not saved, and would be lost.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => router.decide(false)} data-autofocus>
          Stay
        </Button>
        <Button color="red.9" onClick={() => router.decide(true)}>
          Leave
        </Button>
      </Group>
    </Dialog>
  )
}
