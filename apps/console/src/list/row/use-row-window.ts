/** The rows of a long list that are near the visible part. The others are empty space of the same height. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export interface RowWindow {
  readonly start: number
  readonly end: number
  /** The height of a row in pixels; 0 until it is measured. */
  readonly rowHeight: number
}

/** Shorter lists are rendered as a whole. */
const shortList = 60
/** Rows beyond the visible part, so that the keyboard always finds the next one. */
const margin = 12

export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number): RowWindow {
  const isLong = count > shortList
  const [window, setWindow] = useState<RowWindow>({ start: 0, end: shortList, rowHeight: 0 })
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || !isLong) return
    const measure = () => {
      const rowHeight = box.querySelector('.row')?.getBoundingClientRect().height ?? 0
      if (rowHeight === 0) return
      const start = Math.max(0, Math.floor(box.scrollTop / rowHeight) - margin)
      const end = Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + margin)
      setWindow((before) =>
        before.start === start && before.end === end && before.rowHeight === rowHeight
          ? before
          : { start, end, rowHeight },
      )
    }
    measure()
    box.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => {
      box.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroller, count, isLong])
  return isLong ? window : { start: 0, end: count, rowHeight: 0 }
}
