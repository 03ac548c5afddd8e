/** The table of a list: a sticky header that sorts, rows that open, and a menu for each row. */
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { useRecordNames } from '../history/use-record-names.ts'
import { text } from '../language/language.ts'
import { entryFrom } from '../model/history/entry.ts'
import { isHistory } from '../model/history/history.ts'
import { leadingNames } from '../model/list/columns.ts'
import { parametersOf } from '../model/list/filter.ts'
import { sortsOf } from '../model/list/query.ts'
import { shownColumns } from '../model/list/shown-columns.ts'
import type { Field } from '../model/record/field.ts'
import { linkOf } from '../model/record/typed-value.ts'
import { recordPath } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf, rootOf, type Service, type Variant } from '../model/service/service.ts'
import { nounText } from '../model/title.ts'
import { useConsole } from '../state/console-context.ts'
import { pageQuery } from '../state/preference.ts'
import { ListHead } from './column/list-head.tsx'
import { useReferenceColumns } from './column/reference-columns.ts'
import type { Columns } from './column/use-columns.ts'
import { usePinned } from './column/use-pinned.ts'
import { CellTools } from './filter/cell-tools.tsx'
import { ListRow } from './row/list-row.tsx'
import { useRowWindow } from './row/use-row-window.ts'
import { useListPosition } from './use-list-position.ts'
import { type Selection, useSelected } from './use-selection.ts'

interface ListTableProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  /** The URL of the list, which its scroll position belongs to. */
  readonly address: string
  /** Undefined while they load. */
  readonly records: readonly Json[] | undefined
  /** The records are those of another page, filter or sort. */
  readonly isStale: boolean
  /** Other records are loading. */
  readonly isBusy: boolean
  readonly isCompact: boolean
  readonly columns: Columns
  /** Undefined if the service has no change for several records. */
  readonly selection: Selection | undefined
  onSort(name: string, keepsOthers: boolean): void
  /** Opens the filter of a column. */
  onFilter(name: string): void
  /** Filters by the value of a cell. */
  onFilterCell(record: Json, name: string): void
  renderActions(record: Json): ReactNode
}

const noRecords: readonly Json[] = []

export function ListTable(props: ListTableProps) {
  const { collection, variant, ids, query, address, records, isStale, isCompact, columns, selection, onSort } = props
  const { service, notify } = useConsole()
  const isOfHistory = isHistory(collection)
  const scroller = useRef<HTMLDivElement>(null)
  const shownRecords = records ?? noRecords
  const { names, all, widths } = columns
  const shown = useMemo(() => visibleColumns(variant, all, names, shownRecords), [variant, all, names, shownRecords])
  const pinnedCount = pinnedOf(shown, columns.pinned)
  usePinned(scroller, pinnedCount, selection !== undefined)
  const leading = useMemo(() => leadingNames(service, collection, shown), [service, collection, shown])
  const references = useReferenceColumns(collection.api, shown, shownRecords)
  const labels = useMemo(() => linkedLabels(service, collection, shown), [service, collection, shown])
  const nameRecord = useRecordNames(collection, isOfHistory ? shownRecords.map(entryFrom) : [])
  const sorts = useMemo(() => sortsOf(query), [query])
  const { start, end, rowHeight } = useRowWindow(scroller, shownRecords.length)
  useListPosition(scroller, address, records !== undefined && !isStale)
  const sort = useStable(onSort)
  const setWidth = useStable(columns.setWidth)
  const openFilter = useStable(props.onFilter)
  const noun = nounText(collection)
  const recordOf = (id: string) => shownRecords.find((record) => `${idOf(collection, record)}` === id)
  const span = shown.length + (selection ? 2 : 1)
  return (
    <div ref={scroller} className={records && records.length < 5 ? 'list-scroll short' : 'list-scroll'}>
      <table
        className={['list', props.isBusy && 'stale', isCompact && 'compact', !columns.isNamed && 'brief']
          .filter(Boolean)
          .join(' ')}
        aria-busy={props.isBusy || records === undefined}
        aria-label={collection.plural}
        aria-rowcount={shownRecords.length + 1}
      >
        <thead>
          <tr>
            {selection && (
              <th className="choose">
                <SelectAllBox selection={selection} />
              </th>
            )}
            {shown.map((field, index) => (
              <ListHead
                key={field.name}
                field={field}
                index={index}
                pinnedCount={pinnedCount}
                width={widths[field.name]}
                sort={sorts.find(({ name }) => name === field.name)}
                isSortable={variant.sortable.has(field.name)}
                isFiltered={isFiltered(variant, query, field.name)}
                onSort={sort}
                onFilter={openFilter}
                onWidth={setWidth}
              />
            ))}
            <th className="actions">
              <VisuallyHidden>{text().list.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          <Spacer height={start * rowHeight} span={span} />
          {records?.slice(start, end).map((record) => {
            const id = `${idOf(collection, record)}`
            return (
              <ListRow
                key={id}
                id={id}
                path={recordPath(collection, [...ids, id])}
                noun={noun}
                record={record}
                columns={shown}
                leading={leading}
                widths={widths}
                pinnedCount={pinnedCount}
                references={references}
                labels={labels}
                nameRecord={isOfHistory ? nameRecord : undefined}
                selection={selection}
                renderActions={props.renderActions}
              />
            )
          }) ?? (
            <LoadingRows columns={shown} count={loadingRows(variant, query)} isSelectable={selection !== undefined} />
          )}
          <Spacer height={Math.max(0, shownRecords.length - end) * rowHeight} span={span} />
        </tbody>
      </table>
      <CellTools
        scroller={scroller}
        names={[...(selection ? [undefined] : []), ...shown.map(({ name }) => name)]}
        filterable={new Set(variant.filters.flatMap(({ exact }) => exact ?? []))}
        urlOf={(id, name) => {
          const kind = shown.find((field) => field.name === name)?.kind
          return kind === 'email' || kind === 'url' ? linkOf(kind, `${recordOf(id)?.[name] ?? ''}`) : undefined
        }}
        onFilter={(id, name) => {
          const record = recordOf(id)
          if (record) props.onFilterCell(record, name)
        }}
        onCopy={async (id, name) => {
          await navigator.clipboard.writeText(`${recordOf(id)?.[name] ?? ''}`)
          notify({ text: text().filter.copied })
        }}
      />
    </div>
  )
}

function SelectAllBox({ selection }: { readonly selection: Selection }) {
  const isChecked = useSelected(selection, (selected) => selected.hasAll())
  return <input type="checkbox" aria-label={text().list.selectAll} checked={isChecked} onChange={selection.toggleAll} />
}

/** Whether the query filters by a column; undefined if the list has no such filter. */
function isFiltered({ filters }: Variant, query: URLSearchParams, name: string): boolean | undefined {
  const filter = filters.find((candidate) => candidate.name === name)
  return filter && parametersOf(filter).some((parameter) => query.has(parameter))
}

/** The shown columns in their order, as far as the variant has them; all of them if none would remain. */
function visibleColumns(
  { columns }: Variant,
  all: readonly Field[],
  names: readonly string[],
  records: readonly Json[],
): readonly Field[] {
  const valueColumns = shownColumns(columns, records)
  if (valueColumns !== columns) return valueColumns
  // `all` is in the order of the names.
  const ordered = all.filter(({ name }) => names.includes(name))
  const shown = ordered.flatMap(({ name }) => columns.find((column) => column.name === name) ?? [])
  return shown.length === 0 ? columns : shown
}

/** The columns with labels of references whose records can be opened: the ID is only in the record of the row. */
function linkedLabels(
  service: Service,
  { api, operations }: Collection,
  columns: readonly Field[],
): ReadonlySet<string> {
  const linked = columns.filter(
    ({ reference, labelFields }) => labelFields && reference !== undefined && rootOf(service, api, reference),
  )
  return new Set(operations.read ? linked.map(({ name }) => name) : [])
}

/** The number of pinned columns, which come first. The response may have other columns than the document. */
function pinnedOf(shown: readonly Field[], pinned: readonly string[] | undefined): number {
  if (!pinned) return 1
  const firstFree = shown.findIndex(({ name }) => !pinned.includes(name))
  return firstFree === -1 ? shown.length : firstFree
}

/** The same function in every render, so that rows need not render again. */
function useStable<Parameters extends readonly unknown[]>(latest: (...values: Parameters) => void) {
  const current = useRef(latest)
  current.current = latest
  return useCallback((...values: Parameters) => current.current(...values), [])
}

/** The place of rows that are not rendered. */
function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height === 0) return null
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

/** More rows are below every screen. */
const maxLoadingRows = 50

/** The rows of a page, so that the list has the same height before and after it is loaded. */
function loadingRows(variant: Variant, query: URLSearchParams): number {
  return Math.min(maxLoadingRows, Number(pageQuery(variant, query).get('pageSize') ?? 12))
}

interface LoadingRowsProps {
  readonly columns: readonly Field[]
  readonly count: number
  readonly isSelectable: boolean
}

function LoadingRows({ columns, count, isSelectable }: LoadingRowsProps) {
  const rows = Array.from({ length: count }, (_, index) => index)
  return rows.map((row) => (
    <tr key={row}>
      {isSelectable && <td />}
      {columns.map(({ name }, index) => (
        <td key={name}>
          <Skeleton height={12} my={4} width={`${50 + ((row * 17 + index * 29) % 45)}%`} />
        </td>
      ))}
      <td />
    </tr>
  ))
}
