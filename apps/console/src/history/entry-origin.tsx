/** Who made a change, and when: the local time, with the exact time as its title. */
import { Text } from '@mantine/core'
import { format, text } from '../language/language.ts'
import type { Entry } from '../model/history/entry.ts'

export function EntryTime({ time }: Pick<Entry, 'time'>) {
  return (
    <time dateTime={time} title={time} className="moment">
      {format().local(time)}
    </time>
  )
}

export function EntryOrigin({ entry }: { readonly entry: Entry }) {
  return (
    <Text size="sm" className="breaking">
      <Text span inherit fw={500}>
        {text().history.by(entry.user, entry.application)}
      </Text>{' '}
      <Text span inherit c="dimmed">
        <EntryTime time={entry.time} />
      </Text>
    </Text>
  )
}
