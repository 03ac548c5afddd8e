/** The menu of the formats that a list can be exported in. */
import { ActionIcon, Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { text } from '../language/language.ts'
import type { ExportFormat } from '../model/list/bulk-text.ts'
import type { Field } from '../model/record/field.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import type { ListSource } from './list-pages.ts'

const ExportDialog = lazy(() => import('./export-dialog.tsx'))

interface ExportMenuProps {
  readonly source: ListSource
  /** The columns that the list shows. */
  readonly shownColumns: readonly Field[]
}

const formats: readonly ExportFormat[] = ['csv', 'spreadsheet', 'ndjson']

export function ExportMenu({ source, shownColumns }: ExportMenuProps) {
  const [isShownOnly, setShownOnly] = useState(false)
  const [format, setFormat] = useState<ExportFormat>()
  const { exportAs, exportButton, exportList, shownColumnsOnly } = text().bulk
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        width={260}
        button={
          <ActionIcon variant="default" size={30} aria-label={exportButton} title={exportButton}>
            <Icon name="download" size={15} />
          </ActionIcon>
        }
      >
        <Menu.Label>{exportList}</Menu.Label>
        {formats.map((name) => (
          <Menu.Item key={name} leftSection={<Icon name="download" size={14} />} onClick={() => setFormat(name)}>
            {exportAs[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={isShownOnly} onChange={setShownOnly}>
          {shownColumnsOnly}
        </Menu.CheckboxItem>
      </ButtonMenu>
      {format !== undefined && (
        <Suspense>
          <ExportDialog
            source={source}
            format={format}
            columns={isShownOnly ? shownColumns : undefined}
            onClose={() => setFormat(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
