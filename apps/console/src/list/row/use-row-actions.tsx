/** The menu and the keyboard shortcuts of the rows of a list, and the dialogs that they open. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { ActionDialogFor, type BoundAction } from '../../action/action-buttons.tsx'
import { recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import { linkCollectionOf, writeCollectionOf } from '../../model/service/relation.ts'
import { type Collection, idOf } from '../../model/service/service.ts'
import { router } from '../../state/router.ts'
import { requestEdit } from '../../view/edit-request.ts'
import { RowMenu } from './row-menu.tsx'
import { useRowShortcuts } from './use-row-shortcuts.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('../../record/delete/delete-dialog.tsx')).DeleteDialog,
}))

interface RowActionsOptions {
  readonly collection: Collection
  readonly ids: readonly string[]
  /** Undefined if records cannot be created here. */
  readonly onNew?: (() => void) | undefined
  /** Undefined if rows cannot be selected. */
  readonly onToggle?: ((id: string) => void) | undefined
}

interface RowActions {
  renderActions(record: Json): ReactNode
  readonly dialogs: ReactNode
}

export function useRowActions({ collection, ids, onNew, onToggle }: RowActionsOptions): RowActions {
  const [removed, setRemoved] = useState<string>()
  const [done, setDone] = useState<BoundAction>()
  const writeCollection = writeCollectionOf(collection)
  const linkCollection = linkCollectionOf(collection)
  useRowShortcuts({
    onNew,
    onEdit: (id) => {
      requestEdit()
      router.go(recordPath(collection, [...ids, id]))
    },
    onPeek: (id) => router.openRecord(recordPath(collection, [...ids, id])),
    onToggle: (id) => onToggle?.(id),
  })
  const renderActions = useCallback(
    (record: Json) => (
      <RowMenu
        {...{ collection, writeCollection, linkCollection, ids, record }}
        onDelete={() => setRemoved(`${idOf(collection, record)}`)}
        onAct={setDone}
      />
    ),
    [collection, writeCollection, linkCollection, ids],
  )
  const dialogs = (
    <>
      {done && <ActionDialogFor bound={done} onClose={() => setDone(undefined)} />}
      {removed !== undefined && (
        <Suspense>
          <DeleteDialog
            writeCollection={writeCollection}
            ids={writeCollection === collection ? [...ids, removed] : [removed]}
            onClose={() => setRemoved(undefined)}
          />
        </Suspense>
      )}
    </>
  )
  return { renderActions, dialogs }
}
