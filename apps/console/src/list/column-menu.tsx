/** The menu that shows and hides columns. */
import { ActionIcon, Menu } from '@mantine/core'
import { text } from '../language/language.ts'
import type { Field } from '../model/record/field.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import type { HiddenColumns } from './use-hidden-columns.ts'

interface ColumnMenuProps {
  readonly columns: readonly Field[]
  readonly hidden: HiddenColumns
}

export function ColumnMenu({ columns, hidden }: ColumnMenuProps) {
  const shown = columns.filter(({ name }) => !hidden.names.has(name))
  const { columns: all, columnsShown } = text().list
  const label = shown.length === columns.length ? all : columnsShown(shown.length, columns.length)
  return (
    <ButtonMenu
      position="bottom-end"
      dropdown={{ mah: 420, miw: 190, style: { overflowY: 'auto' } }}
      button={
        <ActionIcon variant={shown.length === columns.length ? 'default' : 'light'} size={30} aria-label={label}>
          <Icon name="columns" size={15} />
        </ActionIcon>
      }
    >
      <Menu.Label>{text().list.columnsOfList}</Menu.Label>
      <Menu.Item disabled={shown.length === columns.length} onClick={hidden.showAll}>
        {text().list.showAllColumns}
      </Menu.Item>
      <Menu.Divider />
      {columns.map(({ name, title }) => {
        const isShown = !hidden.names.has(name)
        return (
          <Menu.CheckboxItem
            key={name}
            checked={isShown}
            // A list without any column would show nothing at all.
            disabled={isShown && shown.length === 1}
            onChange={() => hidden.toggle(name)}
          >
            {title}
          </Menu.CheckboxItem>
        )
      })}
    </ButtonMenu>
  )
}
