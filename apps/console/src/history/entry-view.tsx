/** The page of one entry of the history. */
import { Stack } from '@mantine/core'
import { entryFrom } from '../model/history/entry.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { RecordFacts } from '../record/record-facts.tsx'
import { EntryCard } from './entry-card.tsx'
import { useRecordNames } from './use-record-names.ts'

export default function EntryView({ collection, record }: { readonly collection: Collection; readonly record: Json }) {
  const entry = entryFrom(record)
  const nameRecord = useRecordNames(collection, [entry])
  const otherFields = collection.fields.filter(
    ({ name }) => ['request', 'transaction'].includes(name) && record[name] !== null,
  )
  return (
    <Stack>
      <EntryCard entry={entry} list={collection} nameRecord={nameRecord} isLatest={undefined} />
      {otherFields.length > 0 && <RecordFacts api={collection.api} record={record} fields={otherFields} />}
    </Stack>
  )
}
