/** The tools of the cell below the pointer: open an e-mail address or a URL, filter by the value, and copy it. One set for the whole table keeps rows cheap. */
import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { text } from '../../language/language.ts'
import { Icon } from '../../view/icon.tsx'

interface CellToolsProps {
  readonly scroller: RefObject<HTMLElement | null>
  /** The names of the columns; undefined for cells without a value. */
  readonly names: readonly (string | undefined)[]
  /** The columns that the list can be filtered by. */
  readonly filterable: ReadonlySet<string>
  /** The link to an e-mail address or a URL. Text that is a link itself could not be selected. */
  urlOf(id: string, name: string): string | undefined
  onFilter(id: string, name: string): void
  onCopy(id: string, name: string): void
}

interface Hovered {
  readonly cell: HTMLTableCellElement
  readonly id: string
  readonly style: CSSProperties
}

export function CellTools({ scroller, names, filterable, urlOf, onFilter, onCopy }: CellToolsProps) {
  const [hovered, setHovered] = useState<Hovered>()
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const enter = ({ target, pointerType, buttons }: PointerEvent) => {
      // A pressed button selects text or moves the edge of a column.
      if (pointerType !== 'mouse' || buttons !== 0 || !(target instanceof Element) || target.closest('.cell-tools'))
        return
      const cell = target.closest<HTMLTableCellElement>('tr[data-id]>td')
      const id = cell?.closest('tr')?.dataset.id
      // The whole text of a cell that is too narrow for it.
      if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : ''
      setHovered((before) => {
        if (!cell || id === undefined || !hasRoom(cell)) return undefined
        return before?.cell === cell ? before : { cell, id, style: atEdge(box, cell) }
      })
    }
    const leave = () => setHovered(undefined)
    box.addEventListener('pointerover', enter)
    box.addEventListener('pointerleave', leave)
    return () => {
      box.removeEventListener('pointerover', enter)
      box.removeEventListener('pointerleave', leave)
    }
  }, [scroller])
  const name = hovered && names[hovered.cell.cellIndex]
  if (!hovered?.cell.isConnected || name === undefined) return null
  const { id, style } = hovered
  const { filterByValue, copyValue } = text().filter
  const url = urlOf(id, name)
  return (
    <span className="cell-tools" style={style}>
      {url !== undefined && <ValueLink url={url} />}
      {filterable.has(name) && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={filterByValue}
          title={filterByValue}
          onClick={() => onFilter(id, name)}
        >
          <Icon name="filter" size={13} />
        </button>
      )}
      {/* Browsers have a clipboard only on secure pages. */}
      {navigator.clipboard !== undefined && (
        <button type="button" tabIndex={-1} aria-label={copyValue} title={copyValue} onClick={() => onCopy(id, name)}>
          <Icon name="copy" size={13} />
        </button>
      )}
    </span>
  )
}

function ValueLink({ url }: { readonly url: string }) {
  const isEmail = url.startsWith('mailto:')
  const label = isEmail ? text().record.writeEmail : text().record.openUrl
  return (
    <a
      href={url}
      tabIndex={-1}
      aria-label={label}
      title={label}
      {...(!isEmail && { target: '_blank', rel: 'noreferrer' })}
    >
      <Icon name={isEmail ? 'email' : 'open'} size={13} />
    </a>
  )
}

/** The width of both tools and their margin, in pixels. */
const toolsWidth = 52

/** Whether the tools would leave the link of the cell free: otherwise a click on the link would copy its value. */
function hasRoom(cell: HTMLElement): boolean {
  const link = cell.querySelector('a')?.getBoundingClientRect()
  if (!link) return true
  const { left, right } = cell.getBoundingClientRect()
  return cell.classList.contains('number') ? link.left - left >= toolsWidth : right - link.right >= toolsWidth
}

/** The edge of the cell that its text does not begin at, so that a click in the middle still opens the record. */
function atEdge(box: HTMLElement, cell: HTMLElement): CSSProperties {
  const [boxRect, cellRect] = [box, cell].map((part) => part.getBoundingClientRect()) as [DOMRect, DOMRect]
  const top = cellRect.top - boxRect.top + box.scrollTop + cellRect.height / 2
  const isNumber = cell.classList.contains('number')
  const edge = isNumber ? cellRect.left + 2 : cellRect.right - 2
  return { top, left: edge - boxRect.left + box.scrollLeft, translate: isNumber ? '0 -50%' : '-100% -50%' }
}
