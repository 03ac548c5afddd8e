/** Changes each selected record after a confirmation, and lists the rejected ones with the reason. */
import { Alert, Progress as Bar, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useInvalidate } from '../http/queries.ts'
import { text } from '../language/language.ts'
import type { Selection } from '../list/use-selection.ts'
import { problemText } from '../model/advice.ts'
import { nameWithId } from '../model/record/label.ts'
import { changeDone, changeQuestion, changeTitle, pathIds, type SharedChange } from '../model/record/shared-change.ts'
import { recordPath } from '../model/route.ts'
import { isObject } from '../model/service/openapi.ts'
import { type Collection, idOf } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { DependentsList } from '../record/delete/dependents-list.tsx'
import { type Deleted, deleteWarning, useRecreate } from '../record/delete/use-recreate.ts'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { forEachConcurrently } from './for-each-concurrently.ts'
import { type ListSource, listPages } from './list-pages.ts'

/** All records that match the filters of a list. */
export interface Matches extends ListSource {
  readonly count: number
}

interface SelectionDialogProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly selection: Selection
  readonly change: SharedChange
  /** Offered instead of the selected records. */
  readonly matches: Matches | undefined
  nameOf(id: string): string
  onClose(): void
}

/** The maximum number of records that the dialog names. */
const maxNames = 25

export default function SelectionDialog({
  collection,
  ids,
  selection,
  change,
  matches,
  nameOf,
  onClose,
}: SelectionDialogProps) {
  const { service, http, notify } = useConsole()
  const invalidate = useInvalidate()
  const { owner, method, body } = change
  const isDelete = change.kind === 'delete'
  const recreate = useRecreate(owner)
  const [all, setAll] = useState(selection.ids)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(() => new Map(all.map((id) => [id, nameOf(id)])))
  const [done, setDone] = useState<number>()
  const [refused, setRefused] = useState<readonly { readonly id: string; readonly reason: string }[]>()
  const isRunning = done !== undefined && refused === undefined
  /** Changes one record. Returns the deleted record if the service shows it. */
  const changeRecord = async (id: string): Promise<Deleted | undefined> => {
    const all = pathIds(collection, owner, ids, id)
    const path = recordPath(owner, all)
    const operation = method === 'PATCH' ? owner.operations.update : owner.operations.delete
    const { base } = owner.api
    // A required If-Match takes the current ETag. Some services do not return the deleted record, so it is read first.
    const isReturned = (operation?.response?.properties.size ?? 0) > 0
    const isRead = operation?.isConditional || (isDelete && !isReturned && owner.operations.read)
    const before = isRead ? await http.send({ base, method: 'GET', path }) : undefined
    const etag = operation?.isConditional ? before?.etag : undefined
    const headers = etag === undefined ? {} : { 'if-match': etag }
    const response = await http.send({ base, method, path, headers, ...(body && { body }) })
    const record = isReturned ? response.body : before?.body
    return isDelete && isObject(record) ? { ids: all, record } : undefined
  }
  /** The IDs are read before the first change: a changed record may no longer match. */
  const runMatches = async () => {
    if (!matches) return
    setDone(0)
    try {
      const nameById = new Map<string, string>()
      for await (const { records } of listPages(http, matches))
        for (const record of records)
          nameById.set(`${idOf(collection, record)}`, nameWithId(service, collection, record))
      setAll([...nameById.keys()])
      setNames(nameById)
      await run([...nameById.keys()])
    } catch (error) {
      setDone(undefined)
      notify({ text: problemText(error), tone: 'error' })
    }
  }
  const run = async (all: readonly string[]) => {
    const failures: { readonly id: string; readonly reason: string }[] = []
    const deleted: Deleted[] = []
    setDone(0)
    await forEachConcurrently(all, async (id) => {
      try {
        const record = await changeRecord(id)
        if (record) deleted.push(record)
      } catch (error) {
        failures.push({ id, reason: problemText(error) })
      }
      setDone((before = 0) => before + 1)
    })
    await invalidate(owner)
    const hasSuccess = failures.length < all.length
    if (hasSuccess) notify({ text: changeDone(change, all.length - failures.length), ...recreate(deleted) })
    if (failures.length === 0) {
      selection.set([])
      onClose()
    } else {
      selection.set(failures.map(({ id }) => id))
      setRefused(failures)
    }
  }
  return (
    <Dialog
      onClose={onClose}
      title={
        refused ? text().bulk.rejectedRecords : matches ? `${changeTitle(change)}?` : changeQuestion(change, all.length)
      }
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack>
        {matches && done === undefined && (
          <Text size="sm">{text().bulk.matches(selection.ids.length, matches.count, nounText(owner))}</Text>
        )}
        {!matches && refused === undefined && (
          <Text size="sm">
            {[...names.values()].slice(0, maxNames).join(', ')}
            {all.length > maxNames && text().bulk.more(all.length - maxNames)}
          </Text>
        )}
        {isDelete && refused === undefined && (
          <>
            <DependentsList collection={owner} ids={all.map((id) => pathIds(collection, owner, ids, id))} />
            <Text size="sm" c="dimmed">
              {deleteWarning(owner, all.length)}
            </Text>
          </>
        )}
        {isRunning && (
          <Bar.Root size="lg">
            <Bar.Section value={(100 * (done ?? 0)) / all.length} aria-label={text().bulk.progressDone} />
          </Bar.Root>
        )}
        {refused && (
          <>
            <Alert color="yellow" role="status">
              {text().bulk.rejected(all.length - refused.length, refused.length, nounText(owner))}
            </Alert>
            <ScrollArea.Autosize
              mah={260}
              viewportProps={{ tabIndex: 0, 'aria-label': text().bulk.rejectedRecords, role: 'group' }}
            >
              <Table fz="xs" verticalSpacing={4}>
                <Table.Tbody>
                  {refused.map(({ id, reason }) => (
                    <Table.Tr key={id}>
                      <Table.Th scope="row" fw={500}>
                        {names.get(id) ?? id}
                      </Table.Th>
                      <Table.Td>{reason}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea.Autosize>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isRunning} data-autofocus>
            {refused ? text().common.close : text().common.cancel}
          </Button>
          {!refused && !matches && (
            <Button loading={isRunning} onClick={() => run(all)} {...(isDelete && { color: 'red.9' })}>
              {changeTitle(change)}
            </Button>
          )}
          {!refused && matches && (
            <>
              <Button variant="default" disabled={isRunning} onClick={runMatches}>
                {text().bulk.changeMatches(matches.count)}
              </Button>
              <Button disabled={isRunning} onClick={() => run(all)}>
                {text().bulk.changeSelected(selection.ids.length)}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
