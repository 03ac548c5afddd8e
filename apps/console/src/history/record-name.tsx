/** The name of a record as a link to its page, followed by its noun and ID. */
import { Group, Text } from '@mantine/core'
import { Link } from '../view/link.tsx'
import type { NamedRecord } from './use-record-names.ts'

export function RecordName({ label, plainTitle, name, path }: NamedRecord) {
  const displayName = label ?? plainTitle
  return (
    <Group gap="0 6px" component="span" display="inline-flex" className="record-name">
      {path === undefined ? (
        <span>{displayName}</span>
      ) : (
        <Link to={path} size="sm">
          {displayName}
        </Link>
      )}
      {label !== undefined && !label.startsWith(plainTitle) && (
        <Text span size="xs" c="dimmed">
          {name}
        </Text>
      )}
    </Group>
  )
}
