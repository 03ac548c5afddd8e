/** A menu below its button: the first item has the focus when it opens, the button the moment it closes. */
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

interface ButtonMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  readonly button: ReactElement
  readonly isOpenAtFirst?: boolean
  readonly dropdown?: MenuDropdownProps
  readonly children: ReactNode
}

export function ButtonMenu({ button, isOpenAtFirst = false, dropdown, children, ...rest }: ButtonMenuProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  // At once, and not when the menu is gone: what an item opens finds the focus where it is to come back to.
  const change = useCallback(
    (next: boolean) => {
      if (!next) document.getElementById(id)?.focus({ preventScroll: true })
      setOpen(next)
    },
    [id],
  )
  useEffect(() => {
    if (!isOpen) return
    // Whatever has the focus by then: a key may come before the first item is there.
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
      // All of these come late, or go back to where the focus was when the first item had it already.
      closeOnEscape={false}
      trapFocus={false}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
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
  const mark = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const menu = mark.current?.closest('[role="menu"]')
    menu?.querySelector<HTMLElement>('[data-menu-item]:enabled')?.focus({ preventScroll: true })
  }, [])
  return <span ref={mark} hidden />
}
