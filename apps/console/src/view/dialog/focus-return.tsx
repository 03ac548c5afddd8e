/** A marker inside a dialog, a menu or a panel beside the page: when it is removed, the focus returns to where it was. */
import { useLayoutEffect, useRef, useState } from 'react'
import { focusAt, focusInto, focusPosition } from './focus.ts'

/** With `movesFocus`, it also moves the focus into the dialog when it opens. */
export function FocusReturn({ movesFocus = false }: { readonly movesFocus?: boolean }) {
  const [position] = useState(focusPosition)
  const marker = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const box = marker.current?.closest('[role="dialog"], aside')
    if (box && movesFocus) focusInto(box)
    return () => {
      // A focus that moved elsewhere stays there.
      const now = document.activeElement
      if (now === null || now === document.body || box?.contains(now)) focusAt(position)
    }
  }, [position, movesFocus])
  return <span ref={marker} hidden />
}
