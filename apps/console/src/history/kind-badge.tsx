/** The kind of a history entry in plain words, with the same color everywhere. */
import { Badge } from '@mantine/core'
import { text } from '../language/language.ts'

const colors: { readonly [kind: string]: string } = {
  CREATED: 'teal',
  CHANGED: 'blue',
  DELETED: 'red',
  LINKED: 'cyan',
  UNLINKED: 'orange',
}

export function KindBadge({ kind }: { readonly kind: string }) {
  return (
    <Badge variant="light" color={colors[kind] ?? 'gray'} radius="sm" tt="none" fw={500}>
      {text().history.kind(kind)}
    </Badge>
  )
}
