/** The further tools of a list on a phone: a panel below its button. It stays open while a menu or dialog of a tool is used. */
import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import { Icon } from '../view/icon.tsx'

export function ToolMenu({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isInside = useRef(false)
  useEffect(() => {
    if (!isOpen) return
    const listen = () => {
      if (!isInside.current) setOpen(false)
      isInside.current = false
    }
    document.addEventListener('pointerdown', listen)
    return () => document.removeEventListener('pointerdown', listen)
  }, [isOpen])
  const closeOnEscape = ({ key, currentTarget, target }: KeyboardEvent) => {
    if (key !== 'Escape' || !currentTarget.contains(target as Element)) return
    button.current?.focus()
    setOpen(false)
  }
  return (
    // Events of menus and dialogs in portals reach this element as well.
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are the controls
    <div className="tool-menu" onPointerDown={() => (isInside.current = true)} onKeyDown={closeOnEscape}>
      <ActionIcon
        ref={button}
        variant="default"
        size={44}
        aria-label={text().list.moreTools}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" size={15} />
      </ActionIcon>
      {isOpen && <div className="tool-panel">{children}</div>}
    </div>
  )
}
