/** A menu below its button: the first item has the focus when it opens, and the button when it closes. */
import { Menu, type MenuDropdownProps, type MenuProps } from '@mantine/core'
import {
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

interface ButtonMenuProps extends Pick<MenuProps, 'position' | 'width' | 'withinPortal'> {
  readonly button: ReactElement
  readonly defaultOpened?: boolean
  readonly dropdown?: MenuDropdownProps
  readonly children: ReactNode
}

export function ButtonMenu({ button, defaultOpened = false, dropdown, children, ...rest }: ButtonMenuProps) {
  const [isOpen, setOpen] = useState(defaultOpened)
  const id = useId()
  // At once, before the menu is removed: a dialog that an item opens returns the focus to this button.
  const change = useCallback(
    (next: boolean) => {
      if (!next) document.getElementById(id)?.focus({ preventScroll: true })
      setOpen(next)
    },
    [id],
  )
  useEffect(() => {
    if (!isOpen) return
    // A key may be pressed before the first item has the focus.
    const listen = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' || key === 'Tab') change(false)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOpen, change])
  return (
    <Menu
      id={id}
      opened={isOpen}
      onChange={change}
      shadow="md"
      // These features of Mantine act too late, or return the focus to the wrong element.
      closeOnEscape={false}
      trapFocus={false}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      // Accessibility rules want all content inside a landmark.
      portalProps={{ target: 'main' }}
      {...rest}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <FirstItem />
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

function FirstItem() {
  const marker = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const menu = marker.current?.closest('[role="menu"]')
    menu?.querySelector<HTMLElement>('[data-menu-item]:enabled')?.focus({ preventScroll: true })
  }, [])
  return <span ref={marker} hidden />
}
