/** Opens the command palette (Ctrl+K) and the list of shortcuts (?). Both are loaded when they are needed. */
import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { text } from '../language/language.ts'
import { Icon } from '../view/icon.tsx'
import { withModifier } from '../view/modifier-key.ts'
import { useShortcuts } from '../view/use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx'))
const ShortcutDialog = lazy(() => import('./shortcut-dialog.tsx'))

export function PaletteLauncher({ docs }: { readonly docs: string | undefined }) {
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>()
  const close = () => setOpened(undefined)
  useHotkeys([['mod+K', () => setOpened('palette')]], [])
  useShortcuts({ '?': () => setOpened('shortcuts') })
  return (
    <>
      <UnstyledButton className="palette-launcher" onClick={() => setOpened('palette')}>
        <Icon name="search" size={14} />
        <span className="palette-hint">{text().view.paletteHint}</span>
        <kbd>{withModifier('K')}</kbd>
      </UnstyledButton>
      <Suspense>
        {opened === 'palette' && <Palette docs={docs} onShortcuts={() => setOpened('shortcuts')} onClose={close} />}
        {opened === 'shortcuts' && <ShortcutDialog onClose={close} />}
      </Suspense>
    </>
  )
}
