/** The title of a record, with the button that makes the record a favorite. */
import { ActionIcon, Group, Title } from '@mantine/core'
import { useEffect } from 'react'
import { text } from '../language/language.ts'
import { isViewOf } from '../model/list/saved-view.ts'
import { recordPath } from '../model/route.ts'
import type { Collection } from '../model/service/service.ts'
import { favorites, usePrivateViews } from '../state/private-views.ts'
import { Icon } from '../view/icon.tsx'

interface RecordHeadingProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly title: string
  /** A record that does not exist can only be removed from the favorites. */
  readonly isGone?: boolean
}

export function RecordHeading({ collection, ids, title, isGone = false }: RecordHeadingProps) {
  const path = recordPath(collection, ids)
  const favorite = usePrivateViews(favorites).find((view) => view.address === path && isViewOf(view, collection))
  const isRenamed = favorite !== undefined && favorite.name !== title && !isGone
  useEffect(() => {
    if (isRenamed) favorites.change(favorite.id, { name: title })
  }, [isRenamed, favorite, title])
  const toggle = () => (favorite ? favorites.remove(favorite.id) : favorites.add(collection, title, path))
  const label = favorite ? text().view.removeFavorite : text().view.addFavorite
  return (
    <Group gap="xs" wrap="nowrap">
      <Title order={1} size="h3">
        {title}
      </Title>
      {(favorite || !isGone) && (
        <ActionIcon
          variant="subtle"
          color={favorite ? 'accent' : 'gray'}
          className={favorite && 'filled'}
          aria-label={label}
          title={label}
          onClick={toggle}
        >
          <Icon name="star" size={18} />
        </ActionIcon>
      )}
    </Group>
  )
}
