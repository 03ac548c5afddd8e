/** The menu of the saved views of a list: save, rename, delete, and copy a link. */
import { ActionIcon, Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { text } from '../language/language.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { router } from '../state/router.ts'
import { type SavedView, savedViews } from '../state/saved-views.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import { viewPath } from './saved-view-links.tsx'
import type { CurrentView } from './use-current-view.ts'

const NameDialog = lazy(() => import('./name-dialog.tsx'))

interface ViewMenuProps {
  readonly collection: Collection
  readonly current: CurrentView
}

export function ViewMenu({ collection, current: { view, isChanged, address } }: ViewMenuProps) {
  const { notify } = useConsole()
  const [dialog, setDialog] = useState<'save' | 'rename'>()
  const messages = text().view
  const open = (opened: SavedView) => router.go(viewPath(opened), { replaceHistory: true })
  const save = (name: string) => {
    open(savedViews.add(collection, name, address))
    notify({ text: messages.saved(name) })
  }
  const remove = ({ id, name, address: kept }: SavedView) => {
    savedViews.remove(id)
    router.go(kept, { replaceHistory: true })
    notify({
      text: messages.deleted(name),
      action: { title: messages.undo, run: () => open(savedViews.add(collection, name, kept)) },
    })
  }
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.href.replace(/#.*/, '')}#${address}`)
    notify({ text: messages.linkCopied })
  }
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        width={260}
        button={
          <ActionIcon
            variant={view ? 'light' : 'default'}
            size={30}
            aria-label={messages.viewsOf(collection.plural)}
            title={messages.views}
          >
            <Icon name="bookmark" size={15} />
          </ActionIcon>
        }
      >
        {view && isChanged && (
          <Menu.Item
            onClick={() => {
              savedViews.change(view.id, { address })
              notify({ text: messages.saved(view.name) })
            }}
          >
            {messages.saveChanges(view.name)}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setDialog('save')}>{messages.saveAs}</Menu.Item>
        {view && (
          <>
            <Menu.Item onClick={() => setDialog('rename')}>{messages.rename(view.name)}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => remove(view)}>
              {messages.deleteView(view.name)}
            </Menu.Item>
          </>
        )}
        {navigator.clipboard !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="link" size={14} />} onClick={copyLink}>
              {messages.copyLink}
            </Menu.Item>
          </>
        )}
      </ButtonMenu>
      {dialog && (
        <Suspense>
          <NameDialog
            title={dialog === 'save' ? messages.saveTitle : messages.renameTitle}
            initial={dialog === 'rename' && view ? view.name : ''}
            onSave={(name) => (dialog === 'rename' && view ? savedViews.change(view.id, { name }) : save(name))}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
