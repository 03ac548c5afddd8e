/** Does the same with each chosen record, after a question, and tells which of them were refused and why. */
import { Alert, Progress as Bar, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { Chosen } from '../list/use-chosen.ts'
import { recordPath } from '../model/address.ts'
import { problemText } from '../model/advice.ts'
import { pathIds, type SharedChange } from '../model/record/shared-change.ts'
import { isObject } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import { type Deleted, recreateWords, useRecreate } from '../record/use-recreate.ts'
import { Dialog } from '../view/dialog.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useStale } from '../wire/data.ts'
import { together } from './together.ts'

interface ChosenDialogProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly chosen: Chosen
  readonly change: SharedChange
  nameOf(id: string): string
  onClose(): void
}

/** So many are told by their names. */
const named = 25

export default function ChosenDialog({ collection, ids, chosen, change, nameOf, onClose }: ChosenDialogProps) {
  const { wire, say } = useConsole()
  const stale = useStale()
  const { owner, method, body, isGrave } = change
  const recreate = useRecreate(owner)
  const [all] = useState(chosen.ids)
  const [names] = useState(() => all.slice(0, named).map(nameOf))
  const [done, setDone] = useState<number>()
  const [refused, setRefused] = useState<readonly { readonly id: string; readonly reason: string }[]>()
  const isRunning = done !== undefined && refused === undefined
  /** The record as it was, where that is known. */
  const one = async (id: string): Promise<Deleted | undefined> => {
    const all = pathIds(collection, owner, ids, id)
    const path = recordPath(owner, all)
    const operation = method === 'PATCH' ? owner.operations.update : owner.operations.delete
    const { base } = owner.api
    // Where the service insists on a version, it is the present one; and some do not tell what they have deleted.
    const isTold = (operation?.answer?.properties.size ?? 0) > 0
    const isRead = operation?.isConditional || (isGrave && !isTold && owner.operations.read)
    const before = isRead ? await wire.send({ base, method: 'GET', path }) : undefined
    const etag = operation?.isConditional ? before?.etag : undefined
    const headers = etag === undefined ? {} : { 'if-match': etag }
    const answer = await wire.send({ base, method, path, headers, ...(body && { body }) })
    const record = isTold ? answer.body : before?.body
    return isGrave && isObject(record) ? { ids: all, record } : undefined
  }
  const run = async () => {
    const failed: { readonly id: string; readonly reason: string }[] = []
    const deleted: Deleted[] = []
    setDone(0)
    await together(all, async (id) => {
      try {
        const gone = await one(id)
        if (gone) deleted.push(gone)
      } catch (error) {
        failed.push({ id, reason: problemText(error) })
      }
      setDone((before = 0) => before + 1)
    })
    await stale(owner)
    const isSome = failed.length < all.length
    if (isSome) say({ text: `${change.title}: ${count(all.length - failed.length)} done.`, ...recreate(deleted) })
    if (failed.length === 0) {
      chosen.set([])
      onClose()
    } else {
      chosen.set(failed.map(({ id }) => id))
      setRefused(failed)
    }
  }
  return (
    <Dialog onClose={onClose} title={`${change.title}: ${count(all.length)}?`} size="lg" closeOnClickOutside={false}>
      <Stack>
        {refused === undefined && (
          <Text size="sm">
            {names.join(', ')}
            {all.length > named && ` and ${grouped(all.length - named)} more`}
          </Text>
        )}
        {isGrave && refused === undefined && (
          <Text size="sm" c="dimmed">
            {recreateWords(owner, all.length === 1)}
          </Text>
        )}
        {isRunning && (
          <Bar.Root size="lg">
            <Bar.Section value={(100 * (done ?? 0)) / all.length} aria-label="Done so far" />
          </Bar.Root>
        )}
        {refused && (
          <>
            <Alert color="yellow" role="status">
              {count(all.length - refused.length)} done, {grouped(refused.length)} refused.
            </Alert>
            <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, 'aria-label': 'Refused', role: 'group' }}>
              <Table fz="xs" verticalSpacing={4}>
                <Table.Tbody>
                  {refused.map(({ id, reason }) => (
                    <Table.Tr key={id}>
                      <Table.Th scope="row" fw={500}>
                        {id}
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
            {refused ? 'Close' : 'Cancel'}
          </Button>
          {!refused && (
            <Button loading={isRunning} onClick={run} {...(isGrave && { color: 'red.9' })}>
              {change.title}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

function count(records: number): string {
  return `${grouped(records)} ${records === 1 ? 'record' : 'records'}`
}
