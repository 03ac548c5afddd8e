/** The editor of a sort: the direction of each property, and further properties. */
import { ActionIcon, Button, Group, Select, Stack } from '@mantine/core'
import { text } from '../../language/language.ts'
import type { Sort } from '../../model/list/query.ts'
import { Icon } from '../../view/icon.tsx'

export interface SortEditorProps {
  readonly sorts: readonly Sort[]
  readonly sortable: readonly string[]
  titleOf(name: string): string
  onChange(sorts: readonly Sort[]): void
}

export default function SortEditor({ sorts, sortable, titleOf, onChange }: SortEditorProps) {
  const { addSort, ascending, descending, removeSort } = text().filter
  const others = sortable.filter((name) => !sorts.some((sort) => sort.name === name))
  return (
    <Stack gap="xs">
      {sorts.map(({ name, isDescending }, index) => (
        <Group key={name} justify="space-between" wrap="nowrap" gap="xs">
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name={isDescending ? 'down' : 'up'} size={13} />}
            data-autofocus={index === 0 || undefined}
            onClick={() => onChange(sorts.with(index, { name, isDescending: !isDescending }))}
          >
            {(isDescending ? descending : ascending)(titleOf(name))}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={removeSort(titleOf(name))}
            onClick={() => onChange(sorts.toSpliced(index, 1))}
          >
            <Icon name="close" size={13} />
          </ActionIcon>
        </Group>
      ))}
      {others.length > 0 && (
        <Select
          size="xs"
          aria-label={addSort}
          placeholder={addSort}
          searchable
          data={others.map((name) => ({ value: name, label: titleOf(name) }))}
          value={null}
          onChange={(name) => name !== null && onChange([...sorts, { name, isDescending: false }])}
          comboboxProps={{ withinPortal: false }}
        />
      )}
    </Stack>
  )
}
