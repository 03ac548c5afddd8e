/** The buttons of a list: columns, export and import, saved views, and a new record. */
import { Button } from '@mantine/core'
import { BulkMenu } from '../bulk/bulk-menu.tsx'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { requestQuery } from '../model/list/query.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import type { CurrentView } from '../saved-view/use-current-view.ts'
import { ViewMenu } from '../saved-view/view-menu.tsx'
import { Icon } from '../view/icon.tsx'
import { ColumnMenu } from './column-menu.tsx'
import type { Columns } from './use-columns.ts'
import type { ListPage } from './use-list-page.ts'

interface ListToolsProps {
  readonly page: ListPage
  readonly ids: readonly string[]
  readonly columns: Columns
  readonly isCompact: boolean
  onCompact(isCompact: boolean): void
  /** The collection that imported records are created in. */
  readonly importCollection: Collection
  /** Undefined if the list has no saved views. */
  readonly current: CurrentView | undefined
  /** Undefined if records cannot be created here. */
  readonly onCreate: (() => void) | undefined
  /** The reason why the token does not allow to create records. */
  readonly refusal: string | undefined
}

export function ListTools({ page, ids, columns, isCompact, current, refusal, ...props }: ListToolsProps) {
  const { collection, variant, query } = page
  return (
    <>
      {columns.all.length > 1 && (
        <ColumnMenu
          columns={columns}
          isCompact={isCompact}
          onChange={columns.set}
          onReset={columns.reset}
          onCompact={props.onCompact}
        />
      )}
      <BulkMenu
        collection={collection}
        variant={variant}
        ids={ids}
        query={requestQuery(variant.filters, query)}
        writeCollection={props.importCollection}
      />
      {current && <ViewMenu collection={collection} current={current} />}
      {props.onCreate && (
        <Button
          size="xs"
          leftSection={<Icon name="add" size={14} />}
          {...disabledFor(refusal)}
          onClick={props.onCreate}
        >
          {text().list.newRecord(nounText(collection))}
        </Button>
      )}
    </>
  )
}
