/** The heading of a list: its noun, the saved view, and the number of records. */
import { Group, Text, Title } from '@mantine/core'
import { format, text } from '../language/language.ts'
import type { Collection } from '../model/service/service.ts'
import type { CurrentView } from '../saved-view/use-current-view.ts'

interface ListTitleProps {
  readonly collection: Collection
  readonly isNested: boolean
  readonly current: CurrentView
  /** Undefined while the list loads. */
  readonly count: number | undefined
}

export function ListTitle({ collection, isNested, current: { view, isChanged }, count }: ListTitleProps) {
  return (
    <Group gap="sm" align="baseline">
      <Title order={isNested ? 2 : 1} size={isNested ? 'h5' : 'h3'}>
        {collection.plural}
      </Title>
      {view && (
        <Text fw={500}>
          {view.name}
          {isChanged && ` (${text().view.changed})`}
        </Text>
      )}
      {count !== undefined && (
        <Text c="dimmed" size="sm" aria-live="polite">
          {format().number(count)}
        </Text>
      )}
    </Group>
  )
}
