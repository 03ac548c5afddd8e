/** The buttons of a list: columns, saved views, export and import. */
import { Button } from '@mantine/core'
import { ExportMenu } from '../bulk/export-menu.tsx'
import type { ListImport } from '../bulk/use-import.tsx'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { requestQuery } from '../model/list/query.ts'
import type { CurrentView } from '../saved-view/use-current-view.ts'
import { ViewMenu } from '../saved-view/view-menu.tsx'
import { Icon } from '../view/icon.tsx'
import { ColumnMenu } from './column/column-menu.tsx'
import type { Columns } from './column/use-columns.ts'
import type { ListPage } from './use-list-page.ts'

interface ListToolsProps {
  readonly page: ListPage
  readonly ids: readonly string[]
  readonly columns: Columns
  readonly isCompact: boolean
  onCompact(isCompact: boolean): void
  /** Undefined if records cannot be imported here. */
  readonly listImport: ListImport | undefined
  /** Undefined if the list has no saved views. */
  readonly current: CurrentView | undefined
}

export function ListTools({ page, ids, columns, isCompact, onCompact, listImport, current }: ListToolsProps) {
  const { collection, variant, query } = page
  return (
    <>
      {columns.all.length > 1 && <ColumnMenu columns={columns} isCompact={isCompact} onCompact={onCompact} />}
      {current && <ViewMenu collection={collection} current={current} />}
      <ExportMenu
        source={{ collection, variant, ids, query: requestQuery(variant.filters, query) }}
        shownColumns={columns.all.filter(({ name }) => columns.names.includes(name))}
      />
      {listImport && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="upload" size={14} />}
          {...disabledFor(listImport.refusal)}
          onClick={listImport.open}
        >
          {text().bulk.import}
        </Button>
      )}
    </>
  )
}
