/** The menu for export and import of a list. */
import { ActionIcon, Button, Group, Menu, Progress, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { problemText } from '../model/advice.ts'
import type { ExportFormat } from '../model/list/bulk-text.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Dialog } from '../view/dialog.tsx'
import { Icon } from '../view/icon.tsx'
import { download, exportList } from './export.ts'

const ImportDialog = lazy(() => import('./import/import-dialog.tsx'))

interface BulkMenuProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  readonly writeCollection: Collection
}

export function BulkMenu({ collection, variant, ids, query, writeCollection }: BulkMenuProps) {
  const { http, notify } = useConsole()
  const refusalOf = useRefusal()
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>()
  const [isImporting, setImporting] = useState(false)
  const stop = useRef<AbortController>(undefined)
  const runExport = async (format: ExportFormat) => {
    stop.current = new AbortController()
    setProgress({ done: 0, all: 0 })
    try {
      const { signal } = stop.current
      const onProgress = (done: number, all: number) => setProgress({ done, all })
      const blob = await exportList(http, { collection, variant, ids, query, format, signal, onProgress })
      download(blob, `${variant.path.split('/').at(-1)}.${format === 'ndjson' ? 'ndjson' : 'csv'}`)
      notify({ text: text().bulk.exported })
    } catch (error) {
      if (!stop.current.signal.aborted) notify({ text: problemText(error), tone: 'error' })
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        width={260}
        button={
          <ActionIcon
            variant="default"
            size={30}
            aria-label={text().bulk.exportImport}
            title={text().bulk.exportImport}
          >
            <Icon name="download" size={15} />
          </ActionIcon>
        }
      >
        <Menu.Label>{text().bulk.exportList}</Menu.Label>
        <Menu.Item leftSection={<Icon name="download" size={14} />} onClick={() => runExport('csv')}>
          {text().bulk.exportCsv}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="download" size={14} />} onClick={() => runExport('spreadsheet')}>
          {text().bulk.exportSpreadsheet}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="download" size={14} />} onClick={() => runExport('ndjson')}>
          {text().bulk.exportNdjson}
        </Menu.Item>
        {writeCollection.operations.create && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<Icon name="upload" size={14} />}
              {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.create))}
              onClick={() => setImporting(true)}
            >
              {text().bulk.importMenu}
            </Menu.Item>
          </>
        )}
      </ButtonMenu>
      {progress && (
        <Dialog onClose={() => stop.current?.abort()} title={text().bulk.exporting(collection.plural)} size="sm">
          <Stack>
            <Progress.Root size="lg">
              <Progress.Section
                value={progress.all === 0 ? 0 : (100 * progress.done) / progress.all}
                aria-label={text().bulk.exportProgress}
              />
            </Progress.Root>
            <Group justify="space-between">
              <Text size="sm">{text().bulk.progress(progress.done, progress.all)}</Text>
              <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>
                {text().common.stop}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog
            collection={collection}
            writeCollection={writeCollection}
            ids={ids}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </>
  )
}
