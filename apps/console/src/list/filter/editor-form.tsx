/** The form around the inputs of a filter: Enter and Done apply it. */
import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../../language/language.ts'

export function EditorForm({ onSubmit, children }: { readonly children: ReactNode; onSubmit(): void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack gap="xs">
        {children}
        <Group justify="flex-end">
          <Button size="xs" type="submit">
            {text().common.done}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
