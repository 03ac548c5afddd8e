/** The last step of an import: the result of the check, the progress, and the outcome. */
import { Alert, Progress as Bar, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useInvalidate } from '../../http/queries.ts'
import { text } from '../../language/language.ts'
import type { BulkFormat } from '../../model/list/bulk-text.ts'
import type { Collection } from '../../model/service/service.ts'
import { router } from '../../state/router.ts'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import type { CheckedRows } from './check-rows.ts'
import type { Import, Progress } from './import.ts'
import type { ImportKey } from './import-key.ts'
import { RefusedRows } from './refused-rows.tsx'

interface ImportRunProps {
  readonly collection: Collection
  /** The name and the format of the file. */
  readonly name: string
  readonly format: BulkFormat
  readonly checked: CheckedRows
  readonly running: Import
  readonly importKey: ImportKey
  onBack(): void
  onClose(): void
}

/** The interval between updates of the progress. Rendering each row would take longer than sending it. */
const progressIntervalMs = 150

export function ImportRun({ collection, name, format, checked, running, importKey, ...props }: ImportRunProps) {
  const invalidate = useInvalidate()
  const [progress, setProgress] = useState(() => running.progress())
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    setRunning(true)
    setError(undefined)
    if (running.isKeyed) importKey.store()
    const timer = setInterval(() => setProgress(running.progress()), progressIntervalMs)
    try {
      await running.run()
      if (running.isDone) importKey.remove()
    } catch (runError) {
      setError(runError)
    } finally {
      clearInterval(timer)
      setProgress(running.progress())
      setRunning(false)
      await invalidate(collection)
    }
  }
  // The page asks before it is left during an import.
  useEffect(() => {
    const guardOwner = {}
    router.setGuard(guardOwner, isRunning ? 0 : undefined)
    return () => router.setGuard(guardOwner, undefined)
  }, [isRunning])
  const current = useRef(running)
  useEffect(() => () => current.current.stop(), [])
  const { created, done, all } = progress
  const refused = [...checked.refused, ...progress.refused].sort((a, b) => a.row.line - b.row.line)
  const hasProgress = done > 0
  const isDone = hasProgress && done === all
  const { imported, importCount, importResumable, readyRows, resume } = text().bulk
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      {importKey.isResumed && running.isKeyed && !hasProgress && <Alert color="accent">{importResumable}</Alert>}
      {(isRunning || (hasProgress && !isDone)) && <ImportProgress progress={progress} isRunning={isRunning} />}
      {!isRunning && (
        <>
          <Alert color={refused.length === 0 ? 'teal' : 'yellow'} role="status">
            {hasProgress ? imported(created, refused.length) : readyRows(all, refused.length)}
          </Alert>
          <RefusedRows name={name} format={format} refused={refused} />
        </>
      )}
      <Group justify="flex-end">
        {isRunning ? (
          <Button variant="default" onClick={() => running.stop()}>
            {text().common.stop}
          </Button>
        ) : (
          <>
            {!hasProgress && (
              <Button variant="subtle" onClick={props.onBack}>
                {text().bulk.back}
              </Button>
            )}
            <Button variant="default" onClick={props.onClose}>
              {hasProgress ? text().common.close : text().common.cancel}
            </Button>
            {!isDone && (
              <Button disabled={all === 0} onClick={run} data-autofocus>
                {hasProgress || error !== undefined ? resume : importCount(all)}
              </Button>
            )}
          </>
        )}
      </Group>
    </>
  )
}

function ImportProgress({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) {
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
