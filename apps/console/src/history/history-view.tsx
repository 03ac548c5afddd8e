/** The history of a record as a tab of its page: its entries with pages and filters. */
import { Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { ListFrame } from '../list/list-frame.tsx'
import { useListPage } from '../list/use-list-page.ts'
import { entryFrom } from '../model/history/entry.ts'
import { problemOf } from '../model/service/problem.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { EntryList } from './entry-list.tsx'

interface HistoryViewProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
}

export default function HistoryView({ collection, variant, ids }: HistoryViewProps) {
  const page = useListPage(collection, variant, ids)
  const { list, query } = page
  if (list.error && problemOf(list.error).status === 403) return <Text size="sm">{text().history.noScope}</Text>
  return (
    <ListFrame page={page} title={text().history.title} className="record">
      {(records) => (
        <EntryList
          list={collection}
          entries={records.map(entryFrom)}
          subject={`${collection.parent?.noun}/${ids.at(-1)}`}
          // A filtered list or a later page may lack newer entries.
          isNewest={[...query.keys()].every((name) => name === 'pageSize')}
        />
      )}
    </ListFrame>
  )
}
