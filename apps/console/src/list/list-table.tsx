/** The table of a list: a sticky header that sorts, rows that open, and a menu for each row. */
import { Skeleton, Table, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { HistoryRowCell } from '../history/history-row-cell.tsx'
import { useRecordNames } from '../history/use-record-names.ts'
import { text } from '../language/language.ts'
import { recordPath } from '../model/address.ts'
import { entryFrom } from '../model/history/entry.ts'
import { entryColumns, isHistory } from '../model/history/history.ts'
import { type Sort, sortsOf } from '../model/list/query.ts'
import { shownColumns } from '../model/list/shown-columns.ts'
import type { Field } from '../model/record/field.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf, type Variant } from '../model/service/service.ts'
import { nounText } from '../model/words.ts'
import { Icon } from '../view/icon.tsx'
import { Link } from '../view/link.tsx'
import { router } from '../wire/router.ts'
import { ListCell } from './list-cell.tsx'
import { useReferenceColumns } from './reference-columns.ts'
import type { Chosen } from './use-chosen.ts'

interface ListTableProps {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  /** Undefined while they load. */
  readonly records: readonly Json[] | undefined
  readonly isStale: boolean
  /** Names of columns that are not shown. */
  readonly hidden: ReadonlySet<string>
  /** Undefined if the service has no change for several records. */
  readonly chosen: Chosen | undefined
  onSort(name: string, isAdded: boolean): void
  renderActions(record: Json): ReactNode
}

export function ListTable({
  collection,
  variant,
  ids,
  query,
  records,
  isStale,
  hidden,
  chosen,
  onSort,
  renderActions,
}: ListTableProps) {
  const isOfHistory = isHistory(collection)
  const declared = isOfHistory ? entryColumns(variant.columns) : variant.columns
  const columns = visibleColumns(shownColumns(declared, records ?? []), hidden)
  const references = useReferenceColumns(collection.api, columns, records ?? [])
  const nameRecord = useRecordNames(collection, isOfHistory ? (records ?? []).map(entryFrom) : [])
  // The ID links to the record, or else the first column.
  const leading = columns.find(({ name }) => name === collection.identity) ?? columns[0]
  const sorts = sortsOf(query)
  return (
    <Table.ScrollContainer minWidth={Math.min(900, 120 * columns.length)} className="list-scroll" type="native">
      <Table
        stickyHeader
        verticalSpacing={6}
        horizontalSpacing="sm"
        className={isStale ? 'list stale' : 'list'}
        aria-busy={isStale || records === undefined}
        aria-label={collection.title}
      >
        <Table.Thead>
          <Table.Tr>
            {chosen && (
              <Table.Th className="choose">
                <input
                  type="checkbox"
                  aria-label={text().list.selectAll}
                  checked={chosen.ids.length > 0 && chosen.ids.length === records?.length}
                  onChange={chosen.toggleAll}
                />
              </Table.Th>
            )}
            {columns.map((field) => (
              <Head
                key={field.name}
                field={field}
                sort={sorts.find((sort) => sort.name === field.name)}
                isSortable={variant.sortable.has(field.name)}
                onSort={onSort}
              />
            ))}
            <Table.Th className="actions">
              <VisuallyHidden>{text().list.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records?.map((record) => {
            const id = idOf(collection, record)
            const path = recordPath(collection, [...ids, id])
            return (
              <Table.Tr key={`${id}`} onClick={() => router.go(path)} className="row">
                {chosen && (
                  <Table.Td className="choose" onClick={(event) => event.stopPropagation()}>
                    <input
                      type="checkbox"
                      aria-label={text().list.select(nounText(collection), id)}
                      checked={chosen.has(`${id}`)}
                      onChange={({ nativeEvent }) =>
                        chosen.toggle(`${id}`, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
                      }
                    />
                  </Table.Td>
                )}
                {columns.map((field) => (
                  <Table.Td key={field.name} className={classOf(field)}>
                    {field === leading ? (
                      <Link to={path} size="sm" className="row-link" onKeyDown={walk}>
                        {`${record[field.name]}`}
                      </Link>
                    ) : isOfHistory ? (
                      <HistoryRowCell field={field} record={record} nameRecord={nameRecord} />
                    ) : (
                      <ListCell field={field} record={record} reference={references.get(field.name)} />
                    )}
                  </Table.Td>
                ))}
                <Table.Td className="actions" onClick={(event) => event.stopPropagation()}>
                  {renderActions(record)}
                </Table.Td>
              </Table.Tr>
            )
          }) ?? <Waiting columns={columns} isChosen={chosen !== undefined} />}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Without the hidden columns; all columns if none would remain. */
function visibleColumns(columns: readonly Field[], hidden: ReadonlySet<string>): readonly Field[] {
  const shown = columns.filter(({ name }) => !hidden.has(name))
  return shown.length === 0 ? columns : shown
}

interface HeadProps {
  readonly field: Field
  readonly sort: Sort | undefined
  readonly isSortable: boolean
  onSort(name: string, isAdded: boolean): void
}

function Head({ field, sort, isSortable, onSort }: HeadProps) {
  const order = sort ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
  const hint = isSortable ? text().list.sortHint : undefined
  const label = [field.description, hint].filter(Boolean).join(' ')
  const head = isSortable ? (
    <UnstyledButton className="sort" onClick={(event) => onSort(field.name, event.shiftKey)}>
      {field.title}
      <span className="sort-sign">{sort && <Icon name={sort.isDescending ? 'down' : 'up'} size={12} />}</span>
    </UnstyledButton>
  ) : (
    <span>{field.title}</span>
  )
  return (
    <Table.Th className={classOf(field)} {...(isSortable && { 'aria-sort': order })}>
      <Tooltip
        label={label}
        disabled={label === ''}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
        // Accessibility rules want all content inside a landmark.
        portalProps={{ target: 'main' }}
      >
        {head}
      </Tooltip>
    </Table.Th>
  )
}

function classOf({ kind, isNumeric }: Field): string {
  return (isNumeric && kind !== 'reference') || kind === 'decimal' ? 'number' : kind === 'paragraph' ? 'long' : ''
}

/** Arrow keys move the focus between rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('.row-link') ?? [])]
  const at = links.indexOf(event.target as HTMLElement)
  event.preventDefault()
  links[at + step]?.focus()
}

function Waiting({ columns, isChosen }: { readonly columns: readonly Field[]; readonly isChosen: boolean }) {
  const rows = Array.from({ length: 8 }, (_, index) => index)
  return rows.map((row) => (
    <Table.Tr key={row} aria-hidden="true">
      {isChosen && <Table.Td />}
      {columns.map(({ name }, index) => (
        <Table.Td key={name}>
          <Skeleton height={12} my={4} width={index === 0 ? 28 : `${50 + ((row * 17 + index * 29) % 45)}%`} />
        </Table.Td>
      ))}
      <Table.Td />
    </Table.Tr>
  ))
}
