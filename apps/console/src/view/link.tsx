/** A link within the console. It can be opened in a new tab, and it warns about unsaved changes. */
import { Anchor, type AnchorProps } from '@mantine/core'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { router } from '../state/router.ts'

/** Handles a plain click on a link (default: goes there); the browser handles a click with a modifier key. */
export function follow(address: string, go = (to: string) => router.go(to)) {
  return (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    event.stopPropagation()
    go(address)
  }
}

interface LinkProps extends AnchorProps {
  readonly to: string
  /** Handles a plain click (default: goes there). */
  readonly go?: ((to: string) => void) | undefined
  readonly children: ReactNode
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
}

export function Link({ to, go, children, ...rest }: LinkProps) {
  return (
    <Anchor href={`#${to}`} onClick={follow(to, go)} {...rest}>
      {children}
    </Anchor>
  )
}
