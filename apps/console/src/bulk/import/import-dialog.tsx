/** Imports records from a file in three steps: the file, its columns, and the check of all rows before they are sent. */
import './import.css'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { text } from '../../language/language.ts'
import { type BulkFile, bulkFormat, bulkHead, readBulk } from '../../model/list/bulk-text.ts'
import { type ColumnMapping, initialMapping, mappedRows } from '../../model/list/column-mapping.ts'
import { formOf } from '../../model/record/form.ts'
import { fill } from '../../model/route.ts'
import type { Collection } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { Dialog } from '../../view/dialog/dialog.tsx'
import { DocsLink } from '../../view/docs-link.tsx'
import { Icon } from '../../view/icon.tsx'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import { download } from '../export.ts'
import { type CheckedRows, checkRows } from './check-rows.ts'
import { FileDrop } from './file-drop.tsx'
import { Import } from './import.ts'
import { ImportColumns } from './import-columns.tsx'
import { type ImportKey, importKey } from './import-key.ts'
import { ImportRun } from './import-run.tsx'
import { ReferenceLabels } from './reference-labels.ts'

interface ImportDialogProps {
  readonly collection: Collection
  readonly writeCollection: Collection
  readonly ids: readonly string[]
  onClose(): void
}

interface SelectedFile {
  readonly name: string
  readonly text: string
  readonly content: BulkFile
}

interface CheckedImport {
  readonly rows: CheckedRows
  readonly work: Import
  readonly key: ImportKey
}

/** Names of files that can be imported. A name without an extension is accepted, and the content decides. */
const importableName = /\.(csv|ndjson|jsonl|json|txt)$|^[^.]+$/i

export default function ImportDialog({ collection, writeCollection, ids, onClose }: ImportDialogProps) {
  const { service, http } = useConsole()
  const { fields } = useMemo(() => formOf(writeCollection, 'create'), [writeCollection])
  const [file, setFile] = useState<SelectedFile>()
  const [mapping, setMapping] = useState<ColumnMapping>(new Map())
  const [checked, setChecked] = useState<CheckedImport>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const path = fill(writeCollection.path, writeCollection === collection ? ids : [])
  const noun = nounText(collection)
  const keyOf = ({ text: content }: SelectedFile) =>
    importKey(`${writeCollection.api.base}${path}`, `${JSON.stringify([...mapping])}${content}`)
  const read = async ([selectedFile, ...others]: readonly File[]) => {
    if (!selectedFile) return
    const refusal = refusalOf(selectedFile, others)
    setChecked(undefined)
    setError(refusal === undefined ? undefined : new Error(refusal))
    if (refusal !== undefined) return
    const content = await selectedFile.text()
    const parsed = readBulk(bulkFormat(selectedFile.name, content), content)
    setFile({ name: selectedFile.name, text: content, content: parsed })
    setMapping(initialMapping(parsed.columns, fields))
  }
  const check = async (selectedFile: SelectedFile) => {
    setBusy(true)
    setError(undefined)
    try {
      const labels = new ReferenceLabels(http, service, writeCollection)
      const rows = await checkRows(mappedRows(selectedFile.content, mapping, fields), fields, labels)
      const key = keyOf(selectedFile)
      const work = new Import(http, { writeCollection, path, rows: rows.ready, key: key.key, labels })
      setChecked({ rows, work, key })
    } catch (checkError) {
      setError(checkError)
    } finally {
      setBusy(false)
    }
  }
  const saveTemplate = () =>
    download(new Blob([bulkHead('csv', fields)], { type: 'text/csv;charset=utf-8' }), `${collection.segment}.csv`)
  const { chooseAnotherFile, chooseFile, fileRows, importNote, importTitle, orDrop, template } = text().bulk
  const steps = text().bulk.importSteps
  const step = checked ? 2 : file ? 1 : 0
  return (
    <Dialog onClose={onClose} title={importTitle(noun)} size="lg" closeOnClickOutside={step === 0}>
      <Stack>
        <ol className="import-steps">
          {steps.map((title, index) => (
            <li key={title} {...(index === step && { 'aria-current': 'step' })}>
              {title}
            </li>
          ))}
        </ol>
        {error !== undefined && <ProblemAlert error={error} />}
        {step === 0 && (
          <Text size="sm" c="dimmed">
            {importNote}
          </Text>
        )}
        {step < 2 && (
          <FileDrop
            title={file ? chooseAnotherFile : chooseFile}
            accept=".csv,.ndjson,.jsonl,.json"
            isDisabled={isBusy}
            onFiles={read}
          >
            {file ? fileRows(file.name, file.content.rows.length) : orDrop}
          </FileDrop>
        )}
        {file && step === 1 && (
          <ImportColumns file={file.content} fields={fields} mapping={mapping} onChange={setMapping} />
        )}
        {checked && file ? (
          <ImportRun
            collection={writeCollection}
            name={file.name}
            format={file.content.format}
            checked={checked.rows}
            running={checked.work}
            importKey={checked.key}
            onBack={() => setChecked(undefined)}
            onClose={onClose}
          />
        ) : (
          <Group justify="space-between">
            <Button variant="subtle" leftSection={<Icon name="download" size={14} />} onClick={saveTemplate}>
              {template}
            </Button>
            <DocsLink base={writeCollection.api.base} method="POST" path={path} />
            <Group ml="auto">
              <Button variant="default" onClick={onClose}>
                {text().common.cancel}
              </Button>
              <Button
                disabled={!file || file.content.rows.length === 0}
                rightSection={isBusy && <Loader size={14} color="white" aria-label={text().common.loading} />}
                onClick={() => file && !isBusy && check(file)}
              >
                {text().bulk.continue}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </Dialog>
  )
}

/** The reason why these files cannot be imported; undefined if they can. */
function refusalOf({ name }: File, others: readonly File[]): string | undefined {
  if (others.length > 0) return text().bulk.oneFile(others.length + 1)
  return importableName.test(name) ? undefined : text().bulk.wrongFile(name)
}
