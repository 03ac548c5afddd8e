/** Opens the command palette (Ctrl+K) and the list of shortcuts (?). Both are loaded when they are needed. */
import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { text } from '../language/language.ts'
import { Icon } from '../view/icon.tsx'
import { withModifier } from '../view/modifier-key.ts'
import { useShortcuts } from '../view/use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx'))
const ShortcutDialog = lazy(() => import('./shortcut-dialog.tsx'))

export function PaletteLauncher({ docs }: { readonly docs: string | undefined }) {
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>()
  const [typed, setTyped] = useState('')
  const close = () => setOpened(undefined)
  const openPalette = () => {
    setTyped('')
    setOpened('palette')
  }
  useHotkeys([['mod+K', openPalette]], [])
  useShortcuts({ '?': () => setOpened('shortcuts') })
  // Text that is typed before the palette is loaded belongs to it.
  useEffect(() => {
    if (opened !== 'palette') return
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest('[role="dialog"]')) return
      if (key === 'Escape') setOpened(undefined)
      else if (key === 'Backspace') setTyped((value) => value.slice(0, -1))
      else if (key.length === 1) setTyped((value) => value + key)
      else if (key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [opened])
  return (
    <>
      <UnstyledButton className="palette-launcher" onClick={openPalette}>
        <Icon name="search" size={14} />
        <span className="palette-hint">{text().view.paletteHint}</span>
        <kbd>{withModifier('K')}</kbd>
      </UnstyledButton>
      <Suspense>
        {opened === 'palette' && (
          <Palette
            docs={docs}
            typed={typed}
            onTyped={setTyped}
            onShortcuts={() => setOpened('shortcuts')}
            onClose={close}
          />
        )}
        {opened === 'shortcuts' && <ShortcutDialog onClose={close} />}
      </Suspense>
    </>
  )
}
