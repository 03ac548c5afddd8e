/** The pinned columns of a list: they stay at the left edge while the others scroll. */
import { type CSSProperties, type RefObject, useLayoutEffect } from 'react'

/** The largest share of the list that pinned columns may cover, so that the others can be seen. */
const maxShare = 0.6

/** The distance of a pinned cell from the left edge. It is a variable of the table, so that rows do not depend on widths. */
export function pinStyle(index: number, pinnedCount: number): CSSProperties | undefined {
  return index < pinnedCount ? { left: `var(--pin-${index}, auto)` } : undefined
}

export function pinClass(index: number, pinnedCount: number): string {
  if (index >= pinnedCount) return ''
  return ` pinned${index === pinnedCount - 1 ? ' pinned-last' : ''}`
}

/** Measures the pinned columns, and again when their widths change. */
export function usePinned(scroller: RefObject<HTMLElement | null>, pinnedCount: number, hasBoxes: boolean): void {
  useLayoutEffect(() => {
    const box = scroller.current
    const table = box?.querySelector('table')
    if (!box || !table || pinnedCount === 0) return
    const heads = [...table.querySelectorAll<HTMLElement>('th.pinned')]
    const boxes = hasBoxes ? table.querySelector<HTMLElement>('th.choose') : null
    const measure = () => {
      let left = boxes?.offsetWidth ?? 0
      for (const [index, head] of heads.entries()) {
        // The first one always stays; a further one only if it leaves enough room.
        const isPinned = index === 0 || left + head.offsetWidth <= box.clientWidth * maxShare
        table.style.setProperty(`--pin-${index}`, isPinned ? `${left}px` : 'auto')
        left += head.offsetWidth
      }
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const element of [box, ...heads]) observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, pinnedCount, hasBoxes])
}
