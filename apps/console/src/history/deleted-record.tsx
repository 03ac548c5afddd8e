/** The page of a deleted record: who deleted it, its history, and Restore. */
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useList } from '../http/queries.ts'
import { text } from '../language/language.ts'
import { entryFrom } from '../model/history/entry.ts'
import { entriesOfRecord } from '../model/history/history.ts'
import { labelOf, plainTitle } from '../model/record/label.ts'
import { fill } from '../model/route.ts'
import { problemOf } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { RecordHeading } from '../record/record-heading.tsx'
import { useConsole } from '../state/console-context.ts'
import { Link } from '../view/link.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { EntryList } from './entry-list.tsx'
import { EntryOrigin } from './entry-origin.tsx'
import { useRestore, writeLocation } from './use-restore.ts'

interface DeletedRecordProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** The problem of the request for the record, which is shown if the history does not have it. */
  readonly error: unknown
}

const pageSize = 10

export default function DeletedRecord(props: DeletedRecordProps) {
  const { service } = useConsole()
  const request = entriesOfRecord(service, props.collection, props.ids, pageSize)
  if (!request) return <MissingRecord {...props} />
  return <Deleted {...props} request={request} />
}

/** A record that neither exists nor has a history. */
function MissingRecord({ collection, ids, error }: DeletedRecordProps) {
  const { notFound, backTo } = text().record
  return (
    <Stack gap="md" align="flex-start">
      <RecordHeading collection={collection} ids={ids} title={notFound(plainTitle(collection, ids.at(-1)))} isGone />
      <Text size="sm">{problemOf(error).detail}</Text>
      <Link to={fill(collection.path, ids.slice(0, -1))} size="sm" underline="always">
        {backTo(collection.plural)}
      </Link>
    </Stack>
  )
}

function Deleted({
  collection,
  ids,
  error,
  request,
}: DeletedRecordProps & { readonly request: NonNullable<ReturnType<typeof entriesOfRecord>> }) {
  const { service } = useConsole()
  const list = useList(request)
  const restoration = useRestore(writeLocation({ collection, ids }))
  const entries = (list.data?.records ?? []).map(entryFrom)
  const [lastEntry] = entries
  if (list.isLoading) return <Skeleton height={160} />
  if (lastEntry?.kind !== 'DELETED') return <MissingRecord collection={collection} ids={ids} error={error} />
  const { history } = text()
  return (
    <Stack gap="md">
      <RecordHeading collection={collection} ids={ids} title={labelOf(service, collection, lastEntry.before)} isGone />
      <Alert color="gray" variant="light" className="record-head" title={history.deleted(nounText(collection))}>
        <Group justify="space-between">
          <EntryOrigin entry={lastEntry} />
          {restoration && (
            <Button size="xs" loading={restoration.isBusy} onClick={restoration.restore}>
              {history.restoreButton}
            </Button>
          )}
        </Group>
      </Alert>
      {restoration?.error ? <ProblemAlert error={restoration.error} /> : null}
      <Title order={2} size="h5">
        {history.title}
      </Title>
      <EntryList list={request.collection} entries={entries} subject={lastEntry.record} isNewest isReadOnly />
    </Stack>
  )
}
