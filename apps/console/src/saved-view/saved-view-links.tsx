/** The saved views of a noun, below it in the navigation. */
import { NavLink } from '@mantine/core'
import { addressOf, viewIdOf, withView } from '../model/list/query.ts'
import type { Collection } from '../model/service/service.ts'
import { useAddress } from '../state/router.ts'
import { isViewOf, type SavedView, useSavedViews } from '../state/saved-views.ts'
import { Icon } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'

/** The URL of a view names it, so that changes of the list can be saved to it. */
export function viewPath({ id, address }: SavedView): string {
  const [path = '', query = ''] = address.split(/\?(.*)/s)
  return addressOf(path, withView(new URLSearchParams(query), id))
}

export function SavedViewLinks({ collection }: { readonly collection: Collection }) {
  const current = viewIdOf(useAddress().query)
  const views = useSavedViews().filter((view) => isViewOf(view, collection))
  return views.map((view) => (
    <NavLink
      key={view.id}
      pl={28}
      href={`#${viewPath(view)}`}
      onClick={follow(viewPath(view))}
      label={view.name}
      leftSection={<Icon name="bookmark" size={13} />}
      active={view.id === current}
      aria-current={view.id === current ? 'page' : undefined}
    />
  ))
}
