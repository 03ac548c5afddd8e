/** The head of a column: it sorts and filters the list, and its edge changes the width. */
import { Tooltip, UnstyledButton } from '@mantine/core'
import { memo, type PointerEvent } from 'react'
import { text } from '../../language/language.ts'
import type { Sort } from '../../model/list/query.ts'
import type { Field } from '../../model/record/field.ts'
import { Icon } from '../../view/icon.tsx'
import { cellClass, widthStyle } from '../row/list-row.tsx'
import { pinClass, pinStyle } from './use-pinned.ts'

interface ListHeadProps {
  readonly field: Field
  readonly index: number
  /** The first columns stay at the left edge. */
  readonly pinnedCount: number
  readonly width: number | undefined
  readonly sort: Sort | undefined
  readonly isSortable: boolean
  /** Undefined if the list has no filter for the column. */
  readonly isFiltered: boolean | undefined
  onSort(name: string, keepsOthers: boolean): void
  onFilter(name: string): void
  onWidth(name: string, width: number | undefined): void
}

export const ListHead = memo(function ListHead(props: ListHeadProps) {
  const { field, index, pinnedCount, width, sort, isSortable, isFiltered, onSort, onFilter, onWidth } = props
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
    <th
      className={`${cellClass(field)}${pinClass(index, pinnedCount)}`}
      style={{ ...widthStyle(width), ...pinStyle(index, pinnedCount) }}
      {...(isSortable && { 'aria-sort': order })}
    >
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
      {isFiltered !== undefined && (
        <button
          type="button"
          className={isFiltered ? 'head-filter active' : 'head-filter'}
          // The filter menu offers the same to the keyboard.
          tabIndex={-1}
          aria-label={text().filter.filterBy(field.title)}
          title={text().filter.filterBy(field.title)}
          onClick={() => onFilter(field.name)}
        >
          <Icon name="filter" size={12} />
        </button>
      )}
      <button
        type="button"
        className="resize"
        tabIndex={-1}
        aria-label={text().list.resizeHint}
        title={text().list.resizeHint}
        onPointerDown={(event) => resize(event, (next) => onWidth(field.name, next))}
        onDoubleClick={() => onWidth(field.name, undefined)}
      />
    </th>
  )
})

/** The narrowest width of a column in pixels. */
const narrowest = 48

/** Follows the pointer, and keeps the width when it is released. */
function resize(event: PointerEvent<HTMLElement>, onWidth: (width: number) => void): void {
  const handle = event.currentTarget
  const cell = handle.closest('th')
  if (!cell) return
  event.preventDefault()
  const from = event.clientX
  const offset = cell.getBoundingClientRect().width - from
  const widthAt = ({ clientX }: { readonly clientX: number }) => Math.max(narrowest, Math.round(clientX + offset))
  const move = (moved: globalThis.PointerEvent) => {
    const width = `${widthAt(moved)}px`
    Object.assign(cell.style, { width, minWidth: width, maxWidth: width })
  }
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  const release = (released: globalThis.PointerEvent) => {
    handle.removeEventListener('pointermove', move)
    if (released.clientX !== from) onWidth(widthAt(released))
  }
  handle.addEventListener('pointerup', release, { once: true })
}
