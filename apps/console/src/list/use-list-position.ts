/** Back returns to the same part of a list, and to the row that was opened. */
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { router } from '../state/router.ts'

interface Position {
  readonly top: number
  readonly left: number
  /** The row that had the focus or was clicked. */
  readonly id: string | undefined
}

const positions = new Map<string, Position>()

const maxFrames = 10

function linkOf(id: string): string {
  return `tr[data-id="${CSS.escape(id)}"] .row-link`
}

export function useListPosition(scroller: RefObject<HTMLElement | null>, address: string, isLoaded: boolean): void {
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    let id: string | undefined
    const note = ({ target }: Event) => {
      id = (target as Element).closest<HTMLElement>('tr[data-id]')?.dataset.id
    }
    box.addEventListener('click', note, true)
    box.addEventListener('focusin', note)
    return () => {
      positions.set(address, { top: box.scrollTop, left: box.scrollLeft, id })
      box.removeEventListener('click', note, true)
      box.removeEventListener('focusin', note)
    }
  }, [scroller, address])
  useEffect(() => {
    const box = scroller.current
    const position = positions.get(address)
    if (!isLoaded || !box || !position || !router.isReturn()) return
    const { top, left, id } = position
    let frame = 0
    // The rows of a long list are rendered only near the visible part, so they may come some frames later.
    const restore = (framesLeft: number) => {
      box.scrollTo({ top, left })
      const row = id === undefined ? undefined : box.querySelector<HTMLElement>(linkOf(id))
      if (row) row.focus({ preventScroll: true })
      else if (framesLeft > 0) frame = requestAnimationFrame(() => restore(framesLeft - 1))
    }
    restore(maxFrames)
    return () => cancelAnimationFrame(frame)
  }, [scroller, address, isLoaded])
}
