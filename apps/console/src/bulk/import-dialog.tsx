/** Brings records in from a file: what it holds, how far it is, which lines were refused and why; stopped and resumed at will. */
import { Alert, Progress as Bar, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { fill } from '../model/address.ts'
import { type BulkFormat, bulkFormat, readBulk } from '../model/list/bulk-text.ts'
import type { Collection } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import { Dialog } from '../view/dialog.tsx'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useStale } from '../wire/data.ts'
import { router } from '../wire/router.ts'
import { download } from './export.ts'
import { FileDrop } from './file-drop.tsx'
import { Import, type Progress } from './import.ts'
import { type ImportKey, importKey } from './import-key.ts'
import { rejectFile } from './reject-file.ts'

interface ImportDialogProps {
  readonly collection: Collection
  readonly writer: Collection
  readonly ids: readonly string[]
  onClose(): void
}

interface Chosen {
  readonly name: string
  readonly format: BulkFormat
  readonly key: ImportKey
  readonly work: Import
}

/** Files by their names; one without an ending is looked into. */
const readable = /\.(csv|ndjson|jsonl|json|txt)$|^[^.]+$/i

/** So often the page tells how far it is, in milliseconds: drawing it for every row would take longer than sending them. */
const pace = 150

export default function ImportDialog({ collection, writer, ids, onClose }: ImportDialogProps) {
  const { wire } = useConsole()
  const stale = useStale()
  const [chosen, setChosen] = useState<Chosen>()
  const [progress, setProgress] = useState<Progress>()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const path = fill(writer.path, writer === collection ? ids : [])
  const read = async ([given, ...others]: readonly File[]) => {
    if (!given) return
    const refusal = refusalOf(given, others)
    if (refusal !== undefined) return setError(new Error(refusal))
    const text = await given.text()
    const format = bulkFormat(given.name, text)
    const key = importKey(`${writer.api.base}${path}`, text)
    const rows = readBulk(format, text, writer.fields)
    const work = new Import(wire, { writer, path, rows, key: key.key })
    setError(undefined)
    setChosen({ name: given.name, format, key, work })
    setProgress(work.progress())
  }
  const bring = async ({ work, key }: Chosen) => {
    setRunning(true)
    setError(undefined)
    if (work.isKeyed) key.keep()
    const clock = setInterval(() => setProgress(work.progress()), pace)
    try {
      await work.run()
      if (work.isDone) key.forget()
    } catch (caught) {
      setError(caught)
    } finally {
      clearInterval(clock)
      setProgress(work.progress())
      setRunning(false)
      await stale(writer)
    }
  }
  // Whoever leaves the page now leaves half of the file.
  useEffect(() => {
    router.guard(isRunning)
    return () => router.guard(false)
  }, [isRunning])
  const work = useRef<Import>(undefined)
  work.current = chosen?.work
  useEffect(() => () => work.current?.stop(), [])
  const isDone = progress !== undefined && progress.all > 0 && progress.done === progress.all
  const isBegun = progress !== undefined && progress.done > 0
  return (
    <Dialog onClose={onClose} title={`Import into ${collection.title}`} size="lg" closeOnClickOutside={!isRunning}>
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {!isBegun && (
          <Text size="sm" c="dimmed">
            CSV with the names of the properties in its first line, NDJSON, or a JSON array. Each row becomes a new
            record; what only the service sets is left to it.
          </Text>
        )}
        <FileDrop
          title={chosen ? 'Choose another file' : 'Choose a file'}
          accept=".csv,.ndjson,.jsonl,.json"
          isDisabled={isRunning}
          onFiles={read}
        >
          {chosen && progress
            ? `${chosen.name}: ${grouped(progress.all)} ${progress.all === 1 ? 'row' : 'rows'}`
            : 'or drop it here'}
        </FileDrop>
        {chosen?.key.isBegun && chosen.work.isKeyed && !isBegun && (
          <Alert color="indigo">
            This file was begun before and not finished. What was created then is not created again.
          </Alert>
        )}
        {progress && (isRunning || (isBegun && !isDone)) && <Running progress={progress} isRunning={isRunning} />}
        {chosen && progress && !isRunning && isBegun && <Outcome progress={progress} chosen={chosen} />}
        <Group justify="flex-end">
          {!isRunning && (
            <Button variant="default" onClick={onClose}>
              {isBegun ? 'Close' : 'Cancel'}
            </Button>
          )}
          {isRunning ? (
            <Button variant="default" onClick={() => chosen?.work.stop()}>
              Stop
            </Button>
          ) : (
            !isDone && (
              <Button disabled={!chosen || progress?.all === 0} onClick={() => chosen && bring(chosen)}>
                {isBegun || error !== undefined ? 'Go on' : 'Import'}
              </Button>
            )
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Why nothing is read of what was given; undefined where it is. */
function refusalOf({ name }: File, others: readonly File[]): string | undefined {
  if (others.length > 0) return `These are ${others.length + 1} files: import one after the other.`
  return readable.test(name) ? undefined : `${name} cannot be imported: choose a file of CSV, NDJSON or JSON.`
}

function Running({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) {
  const { done, all, refused, isWaiting } = progress
  return (
    <>
      <Bar.Root size="lg">
        <Bar.Section value={(100 * done) / Math.max(1, all)} aria-label="Imported so far" />
      </Bar.Root>
      <Text size="sm">
        {grouped(done)} of {grouped(all)}
        {refused.length > 0 && `, ${grouped(refused.length)} refused`}
        {isRunning ? (isWaiting ? '. The service asks to wait …' : '') : '. Stopped.'}
      </Text>
    </>
  )
}

const mediaTypes = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson', json: 'application/json' }

/** So many refused lines are shown; all of them are in the file. */
const shown = 200

function Outcome({
  progress: { created, refused },
  chosen: { name, format },
}: {
  readonly progress: Progress
  readonly chosen: Chosen
}) {
  const save = () => {
    const type = mediaTypes[format]
    download(new Blob([rejectFile(format, refused)], { type }), `${name.replace(/\.[^.]*$/, '')}-refused.${format}`)
  }
  return (
    <Stack gap="xs">
      <Alert color={refused.length === 0 ? 'teal' : 'yellow'} role="status">
        {grouped(created)} created{refused.length > 0 && `, ${grouped(refused.length)} refused`}.
      </Alert>
      {refused.length > 0 && (
        <>
          <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, 'aria-label': 'Refused lines', role: 'group' }}>
            <Table fz="xs" verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{format === 'json' ? 'Number' : 'Line'}</Table.Th>
                  <Table.Th>Why</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {refused.slice(0, shown).map(({ row: { line }, reason }) => (
                  <Table.Tr key={line}>
                    <Table.Td>{line}</Table.Td>
                    <Table.Td>{reason}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
          <Group gap="xs">
            <Button size="xs" variant="default" leftSection={<Icon sign="download" size={14} />} onClick={save}>
              Download the refused rows
            </Button>
            <Text size="xs" c="dimmed">
              With place and reason, to be fixed and imported again.
            </Text>
          </Group>
        </>
      )}
    </Stack>
  )
}
