/** Who changed the record since the form was loaded: the entries of the history that explain a conflict. */
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../http/queries.ts'
import { text } from '../language/language.ts'
import { entriesBetween, entryFrom } from '../model/history/entry.ts'
import { entriesOfRecord } from '../model/history/history.ts'
import type { Field } from '../model/record/field.ts'
import type { Values } from '../model/record/values.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { Timestamp } from '../view/value.tsx'

interface ConflictChangesProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly fields: readonly Field[]
  /** The record when the form was loaded, and the saved one. */
  readonly base: Values
  readonly theirs: Values
}

/** Nothing if the service has no history, or the caller may not read it. */
export function ConflictChanges(props: ConflictChangesProps) {
  const { service } = useConsole()
  const request = entriesOfRecord(service, props.collection, props.ids, 25)
  return request ? <Changes {...props} request={request} /> : null
}

function Changes({
  fields,
  base,
  theirs,
  request,
}: ConflictChangesProps & { readonly request: NonNullable<ReturnType<typeof entriesOfRecord>> }) {
  const { http } = useConsole()
  // The conflict is newer than any list that was loaded before.
  const list = useQuery({ ...listQuery(http, request), staleTime: 0 })
  const entries = entriesBetween((list.data?.records ?? []).map(entryFrom), base, theirs)
  const { by, changedBy } = text().history
  if (entries.length === 0) return null
  return (
    <Stack gap={4}>
      {entries.map((entry) => (
        <Text size="sm" key={`${entry.id}`}>
          {changedBy(
            by(entry.user, entry.application),
            fields.filter(({ name }) => name in entry.before).map(({ title }) => title),
          )}
          {' · '}
          <Timestamp value={entry.time} />
        </Text>
      ))}
    </Stack>
  )
}
