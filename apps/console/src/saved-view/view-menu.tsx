/** The menu of the saved views of a list: save, share, rename, delete, and copy a link. */
import { ActionIcon, Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { disabledFor } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { type SavedView, viewPath } from '../model/list/saved-view.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { router } from '../state/router.ts'
import { useAttempt } from '../state/use-attempt.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import type { CurrentView } from './use-current-view.ts'
import { useViewChanges } from './use-view-changes.ts'

const NameDialog = lazy(() => import('./name-dialog.tsx'))

interface ViewMenuProps {
  readonly collection: Collection
  readonly current: CurrentView
}

export function ViewMenu({ collection, current: { view, isChanged, address } }: ViewMenuProps) {
  const { notify } = useConsole()
  const attempt = useAttempt()
  const { sharing, refusalOf, add, change, remove } = useViewChanges(collection)
  const [dialog, setDialog] = useState<'save' | 'rename'>()
  const messages = text().view
  const open = (opened: SavedView) => router.go(viewPath(opened), { replaceHistory: true })
  const save = async (name: string, isShared: boolean) => {
    open(await add({ name, address }, isShared))
    notify({ text: isShared ? messages.sharedNow(name) : messages.saved(name) })
  }
  const saveChanges = (changed: SavedView) =>
    attempt(async () => {
      await change(changed, { address })
      notify({ text: messages.saved(changed.name) })
    })
  const share = (shared: SavedView) =>
    attempt(async () => {
      const opened = await add(shared, true)
      await remove(shared)
      open(opened)
      notify({ text: messages.sharedNow(shared.name) })
    })
  const removeView = (removed: SavedView) =>
    attempt(async () => {
      await remove(removed)
      router.go(removed.address, { replaceHistory: true })
      const restore = async () => open(await add(removed, removed.shared !== undefined))
      const action = { title: messages.undo, run: () => attempt(restore) }
      notify({ text: messages.deleted(removed.name), action })
    })
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
          <Menu.Item {...disabledFor(refusalOf(view, 'update'))} onClick={() => saveChanges(view)}>
            {messages.saveChanges(view.name)}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setDialog('save')}>{messages.saveAs}</Menu.Item>
        {view && (
          <>
            {sharing && !view.shared && (
              <Menu.Item {...disabledFor(sharing.refusal)} onClick={() => share(view)}>
                {messages.shareView(view.name)}
              </Menu.Item>
            )}
            <Menu.Item {...disabledFor(refusalOf(view, 'update'))} onClick={() => setDialog('rename')}>
              {messages.rename(view.name)}
            </Menu.Item>
            <Menu.Item
              c="var(--mantine-color-error)"
              {...disabledFor(refusalOf(view, 'delete'))}
              onClick={() => removeView(view)}
            >
              {view.shared ? messages.deleteShared(view.name) : messages.deleteView(view.name)}
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
            sharing={dialog === 'save' ? sharing : undefined}
            onSave={(name, isShared) => (dialog === 'rename' && view ? change(view, { name }) : save(name, isShared))}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
