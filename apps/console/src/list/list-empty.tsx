/** The message of a list without records, and the way out. */
import { Button, Center, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ListImport } from '../bulk/use-import.tsx'
import { disabledFor } from '../http/use-refusal.ts'
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
  /** Undefined if records cannot be created here. */
  readonly newButton?: ReactNode
  /** Undefined if records cannot be imported here. */
  readonly listImport?: ListImport | undefined
}

export function ListEmpty(props: ListEmptyProps) {
  const { collection, query, isPast, isLinked, onClear, newButton, listImport } = props
  const hasFilters = isFiltered(query)
  const noun = nounText(collection)
  const { fewerPages, noMatch, noneLinked, noRecords } = text().list
  return (
    <Center py="xl">
      <Stack align="center" gap="xs">
        <Text fw={500}>
          {isPast ? fewerPages : hasFilters ? noMatch(noun) : isLinked ? noneLinked(noun) : noRecords(noun)}
        </Text>
        {hasFilters || isPast ? (
          <Button size="xs" variant="default" onClick={onClear}>
            {isPast ? text().list.firstPage : text().list.clearFilters}
          </Button>
        ) : (
          <Group gap="xs">
            {newButton}
            {listImport && !isLinked && (
              <Button size="xs" variant="default" {...disabledFor(listImport.refusal)} onClick={listImport.open}>
                {text().bulk.import}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Center>
  )
}
