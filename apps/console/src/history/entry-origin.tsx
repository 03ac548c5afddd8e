/** Who made a change, and when. */
import { Text } from '@mantine/core'
import { text } from '../language/language.ts'
import type { Entry } from '../model/history/entry.ts'
import { Timestamp } from '../view/value.tsx'

export function EntryOrigin({ entry }: { readonly entry: Entry }) {
  return (
    <Text size="sm" className="breaking">
      <Text span inherit fw={500}>
        {text().history.by(entry.user, entry.application)}
      </Text>
      {' · '}
      <Timestamp value={entry.time} />
    </Text>
  )
}
