/** Stands in what opens above the page: when that closes, the focus goes back to where it was before. */
import { useLayoutEffect, useRef, useState } from 'react'
import { focusAt, focusInto, focusPlace } from './focus.ts'

/** With `isTaken`, the focus goes into it as well, where nothing else brings it there. */
export function FocusReturn({ isTaken = false }: { readonly isTaken?: boolean }) {
  const [place] = useState(focusPlace)
  const mark = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const box = mark.current?.closest('[role="dialog"]')
    if (box && isTaken) focusInto(box)
    return () => {
      // Who has gone elsewhere meanwhile stays there.
      const now = document.activeElement
      if (now === null || now === document.body || box?.contains(now)) focusAt(place)
    }
  }, [place, isTaken])
  return <span ref={mark} hidden />
}
