/** The menu of the columns: a box for each column, its order, and the density of the rows. */
import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Switch, Text } from '@mantine/core'
import { text } from '../../language/language.ts'
import { FocusReturn } from '../../view/dialog/focus-return.tsx'
import { Icon, type IconName } from '../../view/icon.tsx'
import type { Columns } from './use-columns.ts'

export interface ColumnListProps {
  readonly columns: Columns
  readonly isCompact: boolean
  onCompact(isCompact: boolean): void
}

export default function ColumnList({ columns, isCompact, onCompact }: ColumnListProps) {
  const { all, names, pinned, isChanged, set, togglePin, reset } = columns
  const { columns: title, compact, moveDown, moveUp, pin, resetColumns } = text().list
  const isPinned = (name: string) => (pinned ? pinned.includes(name) : name === names[0])
  /** Pinned columns come first: none can move past the last of them. */
  const isEdge = (at: number) => pinned !== undefined && isPinned(names[at] ?? '') !== isPinned(names[at + 1] ?? '')
  const move = (name: string, step: number) => {
    const at = names.indexOf(name)
    set(names.toSpliced(at, 1).toSpliced(at + step, 0, name))
  }
  return (
    <Popover.Dropdown p="xs" className="column-menu">
      <FocusReturn />
      <Group justify="space-between" mb={4}>
        <Text size="xs" fw={600}>
          {title}
        </Text>
        <Button size="compact-xs" variant="subtle" disabled={!isChanged} onClick={reset}>
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
                onChange={() => set(isShown ? names.filter((one) => one !== name) : [...names, name])}
              />
              <Group gap={0} wrap="nowrap">
                <ColumnButton
                  icon="pin"
                  label={pin(fieldTitle)}
                  isPressed={isPinned(name)}
                  isDisabled={!isShown}
                  onClick={() => togglePin(name)}
                />
                <ColumnButton
                  icon="up"
                  label={moveUp(fieldTitle)}
                  isDisabled={at < 1 || isEdge(at - 1)}
                  onClick={() => move(name, -1)}
                />
                <ColumnButton
                  icon="down"
                  label={moveDown(fieldTitle)}
                  isDisabled={!isShown || at === names.length - 1 || isEdge(at)}
                  onClick={() => move(name, 1)}
                />
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
  )
}

interface ColumnButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly isDisabled: boolean
  readonly isPressed?: boolean
  onClick(): void
}

function ColumnButton({ icon, label, isDisabled, isPressed, onClick }: ColumnButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color={isPressed ? 'accent' : 'gray'}
      size={24}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} size={13} />
    </ActionIcon>
  )
}
