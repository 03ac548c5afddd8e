/** The message of a list without records, and the way out. */
import { Button, Center, Stack, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { isFiltered } from '../model/list/query.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'

interface ListEmptyProps {
  readonly collection: Collection
  readonly query: URLSearchParams
  /** The page number is past the last page. */
  readonly isPast: boolean
  /** The list shows records that are linked with the one above it. */
  readonly isLinked: boolean
  onClear(): void
}

export function ListEmpty({ collection, query, isPast, isLinked, onClear }: ListEmptyProps) {
  const hasFilters = isFiltered(query)
  const noun = nounText(collection)
  const { fewerPages, noMatch, noneLinked, noRecords } = text().list
  return (
    <Center py="xl">
      <Stack align="center" gap="xs">
        <Text fw={500}>
          {isPast ? fewerPages : hasFilters ? noMatch(noun) : isLinked ? noneLinked(noun) : noRecords(noun)}
        </Text>
        {(hasFilters || isPast) && (
          <Button size="xs" variant="default" onClick={onClear}>
            {isPast ? text().list.firstPage : text().list.clearFilters}
          </Button>
        )}
      </Stack>
    </Center>
  )
}
