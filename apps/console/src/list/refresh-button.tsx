/** The button that loads a list again. */
import { ActionIcon } from '@mantine/core'
import { text } from '../language/language.ts'
import { Icon } from '../view/icon.tsx'

interface RefreshButtonProps {
  readonly list: { readonly isFetching: boolean; readonly isLoading: boolean; refetch(): unknown }
}

export function RefreshButton({ list }: RefreshButtonProps) {
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={text().list.refresh}
      title={text().list.refresh}
      loading={list.isFetching && !list.isLoading}
      onClick={() => list.refetch()}
    >
      <Icon name="again" size={15} />
    </ActionIcon>
  )
}
