/** The saved views of a noun, below it in the navigation. */
import { NavLink } from '@mantine/core'
import { text } from '../language/language.ts'
import { viewIdOf } from '../model/list/query.ts'
import { isViewOf, viewPath } from '../model/list/saved-view.ts'
import type { Collection } from '../model/service/service.ts'
import { useAddress } from '../state/router.ts'
import { Icon } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'
import { useSavedViews } from './use-saved-views.ts'

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
      title={view.shared ? text().view.shared : text().view.private}
      leftSection={<Icon name={view.shared ? 'people' : 'bookmark'} size={13} />}
      active={view.id === current}
      aria-current={view.id === current ? 'page' : undefined}
    />
  ))
}
