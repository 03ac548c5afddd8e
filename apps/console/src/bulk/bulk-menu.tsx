/** Takes a list out as a file, and brings records in from one. */
import { ActionIcon, Button, Group, Menu, Progress, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { problemText } from '../model/advice.ts'
import type { ExportFormat } from '../model/list/bulk-text.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Dialog } from '../view/dialog.tsx'
import { Icon } from '../view/icon.tsx'
import { useConsole } from '../wire/console-context.ts'
import { download, exportList } from './export.ts'

const ImportDialog = lazy(() => import('./import-dialog.tsx'))

interface BulkMenuProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  readonly writer: Collection
}

export function BulkMenu({ collection, variant, ids, query, writer }: BulkMenuProps) {
  const { wire, say } = useConsole()
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>()
  const [isImporting, setImporting] = useState(false)
  const stop = useRef<AbortController>(undefined)
  const take = async (format: ExportFormat) => {
    stop.current = new AbortController()
    setProgress({ done: 0, all: 0 })
    try {
      const { signal } = stop.current
      const onProgress = (done: number, all: number) => setProgress({ done, all })
      const blob = await exportList(wire, { collection, variant, ids, query, format, signal, onProgress })
      download(blob, `${variant.path.split('/').at(-1)}.${format === 'ndjson' ? 'ndjson' : 'csv'}`)
      say({ text: 'The file is ready.' })
    } catch (error) {
      if (!stop.current.signal.aborted) say({ text: problemText(error), tone: 'bad' })
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        width={210}
        button={
          <ActionIcon variant="default" size={30} aria-label="Export and import">
            <Icon sign="download" size={15} />
          </ActionIcon>
        }
      >
        <Menu.Label>This list, with its filters</Menu.Label>
        <Menu.Item leftSection={<Icon sign="download" size={14} />} onClick={() => take('csv')}>
          Export as CSV
        </Menu.Item>
        <Menu.Item leftSection={<Icon sign="download" size={14} />} onClick={() => take('spreadsheet')}>
          Export for spreadsheets
        </Menu.Item>
        <Menu.Item leftSection={<Icon sign="download" size={14} />} onClick={() => take('ndjson')}>
          Export as NDJSON
        </Menu.Item>
        {writer.operations.create && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon sign="upload" size={14} />} onClick={() => setImporting(true)}>
              Import a file …
            </Menu.Item>
          </>
        )}
      </ButtonMenu>
      {progress && (
        <Dialog onClose={() => stop.current?.abort()} title={`Exporting ${collection.title}`} size="sm">
          <Stack>
            <Progress.Root size="lg">
              <Progress.Section
                value={progress.all === 0 ? 0 : (100 * progress.done) / progress.all}
                aria-label="Exported so far"
              />
            </Progress.Root>
            <Group justify="space-between">
              <Text size="sm">
                {grouped(progress.done)} of {grouped(progress.all)}
              </Text>
              <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>
                Stop
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog collection={collection} writer={writer} ids={ids} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}
