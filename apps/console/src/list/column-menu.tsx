/** The menu of the columns: a box for each column, its order, and the density of the rows. */
import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { text } from '../language/language.ts'
import { FocusReturn } from '../view/focus-return.tsx'
import { Icon } from '../view/icon.tsx'
import type { Columns } from './use-columns.ts'

interface ColumnMenuProps {
  readonly columns: Columns
  readonly isCompact: boolean
  onChange(names: readonly string[]): void
  onReset(): void
  onCompact(isCompact: boolean): void
}

export function ColumnMenu({
  columns: { all, names, isChanged },
  isCompact,
  onChange,
  onReset,
  onCompact,
}: ColumnMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const { columns: title, columnsShown, compact, moveDown, moveUp, resetColumns } = text().list
  const label = isChanged ? columnsShown(names.length, all.length) : title
  const move = (name: string, step: number) => {
    const at = names.indexOf(name)
    const next = names.toSpliced(at, 1).toSpliced(at + step, 0, name)
    onChange(next)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant={isChanged ? 'light' : 'default'}
          size={30}
          aria-label={label}
          title={label}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="columns" size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" className="column-menu">
        <FocusReturn />
        <Group justify="space-between" mb={4}>
          <Text size="xs" fw={600}>
            {title}
          </Text>
          <Button size="compact-xs" variant="subtle" disabled={!isChanged} onClick={onReset}>
            {resetColumns}
          </Button>
        </Group>
        <Stack gap={2} className="column-list">
          {all.map(({ name, title: fieldTitle }) => {
            const at = names.indexOf(name)
            const isShown = at !== -1
            return (
              <Group key={name} justify="space-between" wrap="nowrap" gap="md">
                <Checkbox
                  size="xs"
                  label={fieldTitle}
                  checked={isShown}
                  // A list without any column would show nothing at all.
                  disabled={isShown && names.length === 1}
                  onChange={() => onChange(isShown ? names.filter((one) => one !== name) : [...names, name])}
                />
                <Group gap={0} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    aria-label={moveUp(fieldTitle)}
                    disabled={at < 1}
                    onClick={() => move(name, -1)}
                  >
                    <Icon name="up" size={13} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    aria-label={moveDown(fieldTitle)}
                    disabled={!isShown || at === names.length - 1}
                    onClick={() => move(name, 1)}
                  >
                    <Icon name="down" size={13} />
                  </ActionIcon>
                </Group>
              </Group>
            )
          })}
        </Stack>
        <Switch
          mt="sm"
          size="xs"
          label={compact}
          checked={isCompact}
          onChange={({ currentTarget: { checked } }) => onCompact(checked)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
