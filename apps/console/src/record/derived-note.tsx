/** Says that records are read-only here, because they are related to their parent through other records. */
import { Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { recordPath } from '../model/route.ts'
import { rootCollectionOf, throughCollection } from '../model/service/relation.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { Link } from '../view/link.tsx'

export function DerivedNote({ collection }: { readonly collection: Collection }) {
  const through = throughCollection(collection)
  return (
    <Text size="sm" c="dimmed">
      {text().record.derived(nounText(collection), through && nounText(through))}
    </Text>
  )
}

/** With a link to the page where the record can be changed. */
export function DerivedRecordNote({ collection, id }: { readonly collection: Collection; readonly id: unknown }) {
  const root = rootCollectionOf(collection)
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {text().record.derivedRecord(nounText(collection))}{' '}
      {root && (
        <Link to={recordPath(root, [id])} size="sm" underline="always">
          {text().record.openShared(nounText(collection))}
        </Link>
      )}
    </Text>
  )
}
