/** The status of a response. */
import { Badge } from '@mantine/core'
import { text } from '../language/language.ts'

export function StatusBadge({ status }: { readonly status: number }) {
  const color = status === 0 || status >= 400 ? 'red' : status >= 300 ? 'yellow' : 'teal'
  return (
    <Badge variant="light" radius="sm" size="sm" color={color}>
      {status === 0 ? text().request.noStatus : status}
    </Badge>
  )
}
