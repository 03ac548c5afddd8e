/** The favorite records, above the nouns in the navigation. */
import { NavLink, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { isViewOf } from '../model/list/saved-view.ts'
import { useConsole } from '../state/console-context.ts'
import { favorites, usePrivateViews } from '../state/private-views.ts'
import { useAddress } from '../state/router.ts'
import { Icon } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'

export function FavoriteLinks() {
  const { service } = useConsole()
  const { path } = useAddress()
  const links = usePrivateViews(favorites).flatMap((favorite) => {
    const collection = service.collections.find((candidate) => isViewOf(favorite, candidate))
    return collection ? [{ ...favorite, collection }] : []
  })
  if (links.length === 0) return null
  return (
    <section aria-label={text().view.favorites} className="navigation-api">
      <Text size="xs" c="dimmed" fw={600} className="navigation-heading">
        {text().view.favorites}
      </Text>
      {links.map(({ id, name, address, collection }) => (
        <NavLink
          key={id}
          href={`#${address}`}
          onClick={follow(address)}
          label={name}
          title={`${name} (${collection.title})`}
          noWrap
          leftSection={<Icon name="star" size={14} />}
          active={address === path}
          aria-current={address === path ? 'page' : undefined}
        />
      ))}
    </section>
  )
}
