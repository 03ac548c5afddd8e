/** The lists of a record as links, with their numbers of records. */
import { Group, Text } from '@mantine/core'
import { format, text } from '../../language/language.ts'
import { addressOf } from '../../model/list/query.ts'
import { relatedLists, relatedQuery } from '../../model/record/related.ts'
import { fill } from '../../model/route.ts'
import type { Collection } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'
import { Link } from '../../view/link.tsx'
import { useRelatedCounts } from './use-related-counts.ts'

interface RelatedLinksProps {
  readonly collection: Collection
  readonly ids: readonly string[]
}

export function RelatedLinks({ collection, ids }: RelatedLinksProps) {
  const { service } = useConsole()
  const lists = relatedLists(service, collection)
  const counts = useRelatedCounts(lists, ids)
  if (lists.length === 0) return null
  return (
    <Group component="nav" gap="md" aria-label={text().record.related}>
      {lists.map((list, index) => (
        <Link
          key={list.key}
          to={addressOf(
            fill(list.variant.path, list.parameter === undefined ? ids : []),
            relatedQuery(list, ids.at(-1)),
          )}
          size="sm"
        >
          {list.title} <Count value={counts[index]} />
        </Link>
      ))}
    </Group>
  )
}

/** The number of records, or nothing if it is not known. */
export function Count({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return null
  return (
    <Text span size="xs" c="dimmed" className="related-count">
      {format().number(value)}
    </Text>
  )
}
