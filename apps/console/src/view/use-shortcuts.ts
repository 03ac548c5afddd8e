/** Shortcuts of one key. They are ignored while somebody types, and while a dialog or a menu is open. */
import { useEffect, useRef } from 'react'

/** Actions by the typed character, whatever the layout of the keyboard. */
export type Shortcuts = { readonly [key: string]: () => void }

const typing = ':is(input:not([type="checkbox"],[type="radio"]),textarea,select,[contenteditable="true"])'
const open = '[aria-modal="true"], [role="dialog"], [role="menu"], [role="listbox"]'

export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const run = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!run || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      if ([...document.querySelectorAll(open)].some((box) => box.checkVisibility())) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
