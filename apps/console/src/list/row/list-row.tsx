/** One row of a list. It renders again only if its record, its columns or its selection change. */
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import { HistoryRowCell } from '../../history/history-row-cell.tsx'
import type { NameRecord } from '../../history/use-record-names.ts'
import { text } from '../../language/language.ts'
import type { Field } from '../../model/record/field.ts'
import type { Json } from '../../model/service/openapi.ts'
import { capitalized } from '../../model/title.ts'
import { router } from '../../state/router.ts'
import { Link } from '../../view/link.tsx'
import { pinClass, pinStyle } from '../column/use-pinned.ts'
import { type Selection, useSelected } from '../use-selection.ts'
import { LabelLink } from './label-link.tsx'
import { ListCell, type ReferenceColumn } from './list-cell.tsx'
import { moveRowFocus } from './row-focus.ts'

/** Values that say nothing without the head of their column. A phone shows its title. */
const unnamedKinds: ReadonlySet<Field['kind']> = new Set([
  'boolean',
  'integer',
  'number',
  'decimal',
  'date',
  'timestamp',
])

interface ListRowProps {
  readonly id: string
  readonly path: string
  readonly noun: string
  readonly record: Json
  readonly columns: readonly Field[]
  readonly leading: readonly string[]
  readonly widths: { readonly [name: string]: number }
  /** The first columns stay at the left edge. */
  readonly pinnedCount: number
  readonly references: ReadonlyMap<string, ReferenceColumn>
  /** The columns with labels of references in place of their IDs. */
  readonly labels: ReadonlySet<string>
  /** Names the records of history entries. */
  readonly nameRecord: NameRecord | undefined
  /** Undefined if rows cannot be selected. */
  readonly selection: Selection | undefined
  renderActions(record: Json): ReactNode
}

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { id, path, noun, record, columns, leading, widths, pinnedCount, references, labels, nameRecord, selection } =
    props
  const isSelected = useSelected(selection, (selected) => selected.has(id))
  return (
    <tr
      className={isSelected ? 'row selected' : 'row'}
      data-id={id}
      onClick={(event) => openRow(event, path)}
      onAuxClick={(event) => event.button === 1 && openRow(event, path)}
    >
      {selection && (
        <td className="choose">
          <label>
            <input
              type="checkbox"
              aria-label={text().list.select(noun, id)}
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                selection.toggle(id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
          </label>
        </td>
      )}
      {columns.map((field, index) => (
        <td
          key={field.name}
          className={`${cellClass(field)}${pinClass(index, pinnedCount)}${isHiddenOnPhone(field, record[field.name]) ? ' none' : ''}`}
          data-title={phoneTitle(field, noun)}
          style={{ ...widthStyle(widths[field.name]), ...pinStyle(index, pinnedCount) }}
        >
          {leading.includes(field.name) ? (
            <Link to={path} size="sm" className={field.name === leading[0] ? 'row-link' : 'row-name'} onKeyDown={walk}>
              {isEmpty(record[field.name]) ? '–' : `${record[field.name]}`}
            </Link>
          ) : labels.has(field.name) && record[field.name] !== null ? (
            <LabelLink path={path} name={field.name} label={`${record[field.name]}`} />
          ) : nameRecord ? (
            <HistoryRowCell field={field} record={record} nameRecord={nameRecord} />
          ) : (
            <ListCell field={field} record={record} reference={references.get(field.name)} link="drawer" />
          )}
        </td>
      ))}
      <td className="actions">{props.renderActions(record)}</td>
    </tr>
  )
})

/** A card has only values that say something. */
function isHiddenOnPhone({ isNullable }: Field, value: unknown): boolean {
  return isEmpty(value) || (value === false && !isNullable)
}

/** The title of a value on a card: an ID has the name of its noun. */
function phoneTitle({ isIdentity, kind, title }: Field, noun: string): string | undefined {
  if (isIdentity) return capitalized(noun)
  return unnamedKinds.has(kind) ? title : undefined
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

export function cellClass({ kind, isNumeric, isIdentity }: Field): string {
  const isNumber = (isNumeric && kind !== 'reference') || kind === 'decimal'
  return [isNumber ? 'number' : kind === 'paragraph' ? 'long' : '', isIdentity ? 'identity' : ''].join(' ').trim()
}

export function widthStyle(width: number | undefined) {
  return width === undefined ? undefined : { width, minWidth: width, maxWidth: width }
}

/** A click beside links and buttons opens the record in the drawer; with Ctrl or the middle button, in a new tab. Selected text stays selected. */
function openRow(event: MouseEvent, path: string): void {
  const target = event.target as Element
  if (target.closest(':is(a,button,input,.actions,.choose)') || document.getSelection()?.isCollapsed === false) return
  if (event.ctrlKey || event.metaKey || event.button === 1) window.open(`#${path}`, '_blank', 'noopener')
  else router.openRecord(path)
}

/** Arrow keys move the focus between rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  moveRowFocus(step)
}
