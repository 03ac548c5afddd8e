/** The title of a record, with the button that makes the record a favorite. */
import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { text } from '../language/language.ts'
import { isViewOf } from '../model/list/saved-view.ts'
import { plainTitle, statusField } from '../model/record/label.ts'
import { recordPath } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { favorites, usePrivateViews } from '../state/private-views.ts'
import { Icon } from '../view/icon.tsx'
import { Value } from '../view/value.tsx'

interface RecordHeadingProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly title: string
  /** Undefined if only the title is known. */
  readonly record?: Json | undefined
  /** A record that does not exist can only be removed from the favorites. */
  readonly isGone?: boolean
}

export function RecordHeading({ collection, ids, title, record, isGone = false }: RecordHeadingProps) {
  const path = recordPath(collection, ids)
  const favorite = usePrivateViews(favorites).find((view) => view.address === path && isViewOf(view, collection))
  const isRenamed = favorite !== undefined && favorite.name !== title && !isGone
  useEffect(() => {
    if (isRenamed) favorites.change(favorite.id, { name: title })
  }, [isRenamed, favorite, title])
  const toggle = () => (favorite ? favorites.remove(favorite.id) : favorites.add(collection, title, path))
  const status = statusField(collection)
  const value = status && record?.[status.name]
  // A record without a name has its noun and ID in its title.
  const isNamed = !title.startsWith(plainTitle(collection, ids.at(-1)))
  const label = favorite ? text().view.removeFavorite : text().view.addFavorite
  return (
    <Group gap="xs">
      <Group gap={4} wrap="nowrap" miw={0}>
        <Title order={1} size="h3" lineClamp={3} title={title.length > 80 ? title : undefined}>
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
      {isNamed && (
        <Text size="sm" c="dimmed">
          {plainTitle(collection, ids.at(-1))}
        </Text>
      )}
      {status && value !== undefined && value !== null && <Value field={status} value={value} />}
    </Group>
  )
}
