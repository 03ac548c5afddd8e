/** Imports records from a file: progress, rejected rows with their reasons, stop and resume. */
import { Alert, Progress as Bar, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import { fill } from '../model/address.ts'
import { type BulkFormat, bulkFormat, readBulk } from '../model/list/bulk-text.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/words.ts'
import { Dialog } from '../view/dialog.tsx'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useInvalidate } from '../wire/data.ts'
import { router } from '../wire/router.ts'
import { download } from './export.ts'
import { FileDrop } from './file-drop.tsx'
import { Import, type Progress } from './import.ts'
import { type ImportKey, importKey } from './import-key.ts'
import { ReferenceLabels } from './reference-labels.ts'
import { rejectFile } from './reject-file.ts'

interface ImportDialogProps {
  readonly collection: Collection
  readonly writeCollection: Collection
  readonly ids: readonly string[]
  onClose(): void
}

interface Chosen {
  readonly name: string
  readonly format: BulkFormat
  readonly key: ImportKey
  readonly work: Import
}

/** Names of files that can be imported. A name without an extension is accepted, and the content decides. */
const readable = /\.(csv|ndjson|jsonl|json|txt)$|^[^.]+$/i

/** The interval between updates of the progress. Rendering each row would take longer than sending it. */
const progressIntervalMs = 150

export default function ImportDialog({ collection, writeCollection, ids, onClose }: ImportDialogProps) {
  const { service, wire } = useConsole()
  const invalidate = useInvalidate()
  const [chosen, setChosen] = useState<Chosen>()
  const [progress, setProgress] = useState<Progress>()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const path = fill(writeCollection.path, writeCollection === collection ? ids : [])
  const read = async ([file, ...others]: readonly File[]) => {
    if (!file) return
    const refusal = refusalOf(file, others)
    if (refusal !== undefined) return setError(new Error(refusal))
    const text = await file.text()
    const format = bulkFormat(file.name, text)
    const key = importKey(`${writeCollection.api.base}${path}`, text)
    const rows = readBulk(format, text, writeCollection.fields)
    const labels = new ReferenceLabels(wire, service, writeCollection)
    const work = new Import(wire, { writeCollection, path, rows, key: key.key, labels })
    setError(undefined)
    setChosen({ name: file.name, format, key, work })
    setProgress(work.progress())
  }
  const runImport = async ({ work, key }: Chosen) => {
    setRunning(true)
    setError(undefined)
    if (work.isKeyed) key.store()
    const clock = setInterval(() => setProgress(work.progress()), progressIntervalMs)
    try {
      await work.run()
      if (work.isDone) key.remove()
    } catch (caught) {
      setError(caught)
    } finally {
      clearInterval(clock)
      setProgress(work.progress())
      setRunning(false)
      await invalidate(writeCollection)
    }
  }
  // The page asks before it is left during an import.
  useEffect(() => {
    router.guard(isRunning)
    return () => router.guard(false)
  }, [isRunning])
  const work = useRef<Import>(undefined)
  work.current = chosen?.work
  useEffect(() => () => work.current?.stop(), [])
  const isDone = progress !== undefined && progress.all > 0 && progress.done === progress.all
  const hasProgress = progress !== undefined && progress.done > 0
  return (
    <Dialog
      onClose={onClose}
      title={text().bulk.importTitle(nounText(collection))}
      size="lg"
      closeOnClickOutside={!isRunning}
    >
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {!hasProgress && (
          <Text size="sm" c="dimmed">
            {text().bulk.importNote}
          </Text>
        )}
        <FileDrop
          title={chosen ? text().bulk.chooseAnotherFile : text().bulk.chooseFile}
          accept=".csv,.ndjson,.jsonl,.json"
          isDisabled={isRunning}
          onFiles={read}
        >
          {chosen && progress ? text().bulk.fileRows(chosen.name, progress.all) : text().bulk.orDrop}
        </FileDrop>
        {chosen?.key.isResumed && chosen.work.isKeyed && !hasProgress && (
          <Alert color="accent">{text().bulk.importResumable}</Alert>
        )}
        {progress && (isRunning || (hasProgress && !isDone)) && <Running progress={progress} isRunning={isRunning} />}
        {chosen && progress && !isRunning && hasProgress && <Outcome progress={progress} chosen={chosen} />}
        <Group justify="flex-end">
          {!isRunning && (
            <Button variant="default" onClick={onClose}>
              {hasProgress ? text().common.close : text().common.cancel}
            </Button>
          )}
          {isRunning ? (
            <Button variant="default" onClick={() => chosen?.work.stop()}>
              {text().common.stop}
            </Button>
          ) : (
            !isDone && (
              <Button disabled={!chosen || progress?.all === 0} onClick={() => chosen && runImport(chosen)}>
                {hasProgress || error !== undefined ? text().bulk.resume : text().bulk.import}
              </Button>
            )
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** The reason why these files cannot be imported; undefined if they can. */
function refusalOf({ name }: File, others: readonly File[]): string | undefined {
  if (others.length > 0) return text().bulk.oneFile(others.length + 1)
  return readable.test(name) ? undefined : text().bulk.wrongFile(name)
}

function Running({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) {
  const { done, all, refused, isWaiting } = progress
  return (
    <>
      <Bar.Root size="lg">
        <Bar.Section value={(100 * done) / Math.max(1, all)} aria-label={text().bulk.importProgress} />
      </Bar.Root>
      <Text size="sm">
        {text().bulk.progress(done, all)}
        {refused.length > 0 && text().bulk.progressRejected(refused.length)}
        {isRunning ? isWaiting && text().bulk.progressWaiting : text().bulk.progressStopped}
      </Text>
    </>
  )
}

const mediaTypes = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson', json: 'application/json' }

/** The maximum number of rejected rows in the table; the file has all of them. */
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
        {text().bulk.imported(created, refused.length)}
      </Alert>
      {refused.length > 0 && (
        <>
          <ScrollArea.Autosize
            mah={240}
            viewportProps={{ tabIndex: 0, 'aria-label': text().bulk.rejectedRows, role: 'group' }}
          >
            <Table fz="xs" verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{format === 'json' ? text().bulk.number : text().bulk.line}</Table.Th>
                  <Table.Th>{text().bulk.reason}</Table.Th>
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
            <Button size="xs" variant="default" leftSection={<Icon name="download" size={14} />} onClick={save}>
              {text().bulk.downloadRejected}
            </Button>
            <Text size="xs" c="dimmed">
              {text().bulk.downloadRejectedNote}
            </Text>
          </Group>
        </>
      )}
    </Stack>
  )
}
