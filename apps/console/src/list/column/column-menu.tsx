/** The button that opens the menu of the columns. */
import { ActionIcon, Popover } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { text } from '../../language/language.ts'
import { Icon } from '../../view/icon.tsx'
import type { ColumnListProps } from './column-list.tsx'

const load = () => import('./column-list.tsx')
const ColumnList = lazy(load)

export function ColumnMenu(props: ColumnListProps) {
  const { all, names, isChanged } = props.columns
  const [isOpen, setOpen] = useState(false)
  const { columns: title, columnsShown } = text().list
  const label = isChanged ? columnsShown(names.length, all.length) : title
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant={isChanged ? 'light' : 'default'}
          size={30}
          aria-label={label}
          title={label}
          aria-expanded={isOpen}
          onPointerEnter={load}
          onFocus={load}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="columns" size={15} />
        </ActionIcon>
      </Popover.Target>
      {isOpen && (
        <Suspense>
          <ColumnList {...props} />
        </Suspense>
      )}
    </Popover>
  )
}
