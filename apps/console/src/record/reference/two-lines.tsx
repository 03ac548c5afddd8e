/** An option with a second line, which tells records with the same label apart. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function TwoLines({ label, detail }: { readonly label: ReactNode; readonly detail: string }) {
  return (
    <div>
      {label}
      {detail !== '' && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </div>
  )
}
