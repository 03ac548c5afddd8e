/** The custom operations of a record or list: a button each, or a menu if there are many. */
import { Button, Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import type { Action } from '../model/service/action.ts'
import type { Api } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'

const ActionDialog = lazy(() => import('./action-dialog.tsx'))

/** An action with the record or list that it is for. */
export interface BoundAction {
  readonly api: Api
  readonly action: Action
  readonly ids: readonly unknown[]
  readonly subject?: string | undefined
  readonly etag?: string | undefined
}

/** The maximum number of buttons; more actions are in a menu. */
const maxButtons = 3

export function ActionButtons({ actions }: { readonly actions: readonly BoundAction[] }) {
  const [selectedAction, setSelectedAction] = useState<BoundAction>()
  const refusalOf = useRefusal()
  return (
    <>
      {actions.length <= maxButtons ? (
        actions.map((bound) => (
          <Button
            key={bound.action.title}
            size="xs"
            variant="default"
            {...disabledFor(refusalOf(bound.api, bound.action.operation))}
            onClick={() => setSelectedAction(bound)}
          >
            {bound.action.title}
          </Button>
        ))
      ) : (
        <ButtonMenu
          position="bottom-end"
          button={
            <Button size="xs" variant="default" rightSection={<Icon name="down" size={12} />}>
              {text().common.operations}
            </Button>
          }
        >
          {actions.map((bound) => (
            <Menu.Item
              key={bound.action.title}
              {...disabledFor(refusalOf(bound.api, bound.action.operation))}
              onClick={() => setSelectedAction(bound)}
            >
              {bound.action.title}
            </Menu.Item>
          ))}
        </ButtonMenu>
      )}
      {selectedAction && <ActionDialogFor bound={selectedAction} onClose={() => setSelectedAction(undefined)} />}
    </>
  )
}

/** Loaded when it is first needed. */
export function ActionDialogFor({ bound, onClose }: { readonly bound: BoundAction; onClose(): void }) {
  return (
    <Suspense>
      <ActionDialog {...bound} onClose={onClose} />
    </Suspense>
  )
}
