/** Exports a list to a file, and shows the progress. Closing the dialog stops the export. */
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { text } from '../language/language.ts'
import { problemText } from '../model/advice.ts'
import type { ExportFormat } from '../model/list/bulk-text.ts'
import type { Field } from '../model/record/field.ts'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { download, exportList } from './export.ts'
import type { ListSource } from './list-pages.ts'

interface ExportDialogProps {
  readonly source: ListSource
  readonly format: ExportFormat
  /** The columns of the file; undefined for everything that the list has. */
  readonly columns: readonly Field[] | undefined
  onClose(): void
}

export default function ExportDialog({ source, format, columns, onClose }: ExportDialogProps) {
  const { http, notify } = useConsole()
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const run = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const onProgress = (done: number, all: number) => setProgress({ done, all })
      const blob = await exportList(http, { ...source, format, columns, signal, onProgress })
      download(blob, `${source.variant.path.split('/').at(-1)}.${format === 'ndjson' ? 'ndjson' : 'csv'}`)
      notify({ text: text().bulk.exported })
    } catch (error) {
      if (signal.aborted) return
      notify({ text: problemText(error), tone: 'error' })
    }
    onClose()
  })
  useEffect(() => {
    const stop = new AbortController()
    void run(stop.signal)
    return () => stop.abort()
  }, [])
  return (
    <Dialog onClose={onClose} title={text().bulk.exporting(source.collection.plural)} size="sm">
      <Stack>
        <Progress.Root size="lg">
          <Progress.Section
            value={progress.all === 0 ? 0 : (100 * progress.done) / progress.all}
            aria-label={text().bulk.exportProgress}
          />
        </Progress.Root>
        <Group justify="space-between">
          <Text size="sm">{text().bulk.progress(progress.done, progress.all)}</Text>
          <Button size="xs" variant="default" onClick={onClose}>
            {text().common.stop}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
